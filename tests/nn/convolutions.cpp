#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

TEST_CASE("Conv1d: by hand") {
  Generator g(1);
  Conv1d layer({.in = 1, .out = 1, .kernel = 3, .padding = 1, .dtype = DType::f64}, g);
  assign(layer.weight, f64({{{1, 0, -1}}}));  // the slope of its surroundings, downwards
  assign(layer.bias, f64({10}));
  CHECK(identical(layer(f64({{{1, 2, 3, 4}}})).value(), f64({{{8, 8, 8, 13}}})));
  layer.window.stride = {1, 2};
  CHECK(identical(layer(f64({{{1, 2, 3, 4}}})).value(), f64({{{8, 8}}})));
  layer.window = {{1, 3}, {1, 1}, {0, 2}, {1, 2}};  // padding 2, dilation 2: x(i − 2) − x(i + 2)
  CHECK(identical(layer(f64({{{1, 2, 3, 4}}})).value(), f64({{{7, 6, 11, 12}}})));
}

TEST_CASE("Conv2d: by hand, and as it is defined") {
  Generator g(1);
  Conv2d layer({.in = 1, .out = 1, .kernel = 2, .bias = false, .dtype = DType::f64}, g);
  assign(layer.weight, f64({{{{1, 10}, {100, 1000}}}}));
  CHECK(identical(layer(f64({{{{1, 2, 3}, {4, 5, 6}}}})).value(), f64({{{{5421, 6532}}}})));
}

TEST_CASE("Conv2d: one by one is a Linear at every place") {
  Generator g(1);
  Conv2d conv({.in = 3, .out = 4, .kernel = 1, .dtype = DType::f64}, g);
  Linear linear({.in = 3, .out = 4, .dtype = DType::f64}, g);
  assign(linear.weight, reshape(conv.weight.value(), {4, 3}));
  assign(linear.bias, conv.bias.value());
  const Tensor x = noise({2, 3, 4, 5});
  const Tensor y = permute(linear(permute(x, {0, 2, 3, 1})).value(), {0, 3, 1, 2});
  CHECK(allclose(conv(x).value(), y, 1e-14, 1e-14));
}

TEST_CASE("Conv2d: groups see their own channels, and a shift of the picture shifts the result") {
  Generator g(1);
  Conv2d conv({.in = 2, .out = 2, .kernel = 3, .groups = 2, .bias = false, .dtype = DType::f64}, g);
  const Tensor x = noise({1, 2, 6, 6});
  const Tensor first_only = cat({slice(x, 1, 0, 1), zeros({1, 1, 6, 6}, DType::f64)}, 1);
  CHECK(identical(select(conv(first_only).value(), 1, 0), select(conv(x).value(), 1, 0)));
  CHECK(max(abs(select(conv(first_only).value(), 1, 1))).item() == 0);
  const Tensor shifted = slice(x, 3, 1);
  CHECK(identical(conv(shifted).value(), slice(conv(x).value(), 3, 1)));
}

TEST_CASE("Conv2d: batches of one and of none, and views") {
  Generator g(1);
  Conv2d conv({.in = 2, .out = 3, .kernel = 2, .dtype = DType::f64}, g);
  const Tensor x = noise({3, 2, 4, 4});
  CHECK(allclose(conv(slice(x, 0, 1, 2)).value(), slice(conv(x).value(), 0, 1, 2), 1e-15, 1e-15));
  CHECK(conv(zeros({0, 2, 4, 4}, DType::f64)).shape() == Shape{0, 3, 3, 3});
  CHECK(identical(conv(transpose(contiguous(transpose(x)))).value(), conv(x).value()));
  CHECK(conv(zeros({1, 2, 2, 2}, DType::f64)).shape() == Shape{1, 3, 1, 1});
}

TEST_CASE("MaxPool2d: by hand; the margin never wins; equals share the gradient; NaN stays") {
  const MaxPool2d pool({.kernel = 2});
  CHECK(identical(pool(f64({{{{1, 2, -5, -6}, {4, 3, -8, -7}}}})).value(), f64({{{{4, -5}}}})));
  const MaxPool2d padded({.kernel = 2, .stride = 2, .padding = 1});
  CHECK(identical(padded(f64({{{{-1, -2}, {-3, -4}}}})).value(), f64({{{{-1, -2}, {-3, -4}}}})));
  const Variable x = parameter(ones({1, 1, 2, 2}, DType::f64));
  sum(pool(x)).backward();
  CHECK(identical(x.gradient().value(), full({1, 1, 2, 2}, 0.25, DType::f64)));
  CHECK(std::isnan(pool(f64({{{{1, NAN}, {2, 3}}}})).item()));
  CHECK(pool(zeros({0, 3, 4, 4})).shape() == Shape{0, 3, 2, 2});
  CHECK(pool(zeros({1, 1, 5, 3})).shape() == Shape{1, 1, 2, 1});
}

}  // namespace regard::nn
