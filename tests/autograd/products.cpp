// Products along axes: their gradients where there are zeros, which no division could give.
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <cmath>

namespace regard {
namespace {

const gradchecks::Function of_rows = [](const auto& in) { return prod(in[0], 1); };
const gradchecks::Function along_rows = [](const auto& in) { return cumprod(in[0], 1); };

Numbers gradient_of(const gradchecks::Function& f, const Nested& at, const Nested& g) {
  const Variable x = leaf(at);
  return to_vector(grad({f({x})}, {x}, {.gradients = {f64(g)}})[0].value());
}

}  // namespace

TEST_CASE("prod: in f32 no part of the product overflows") {
  std::vector<double> numbers;
  for (int i = 0; i < 64; ++i) numbers.push_back(i % 2 ? 0x1p-10 : 0x1p10);
  CHECK(prod(tensor(numbers, {64})).item() == 1);
}

TEST_CASE("prod: one zero has all of the gradient, two have none") {
  // Row by row: no zero, one, two.
  CHECK(gradient_of(of_rows, {{2, 3, 5}, {2, 0, 5}, {0, 3, 0}}, {1, 10, 100}) ==
        Numbers{15, 10, 6, 0, 100, 0, 0, 0, 0});
  CHECK(gradient_of(
            [](const auto& in) {
              return prod(in[0], {0, 2}, keepdim);
            },
            {{{2, 0}, {1, 2}}, {{3, 5}, {3, 4}}}, {{{1}, {1}}}) == Numbers{0, 30, 24, 12, 0, 0, 8, 6});
  CHECK(gradient_of([](const auto& in) { return prod(in[0]); }, {7}, 2) == Numbers{2});
  CHECK(gradient_of([](const auto& in) { return prod(in[0]); }, -3, 2) == Numbers{2});
}

TEST_CASE("cumprod: in f32 a gradient of 0 stays 0 where what stands behind a zero grows beyond all numbers") {
  std::vector<double> numbers(40, 20);
  numbers[0] = 0;
  const Variable x = parameter(tensor(numbers, {40}));
  const Tensor gradient = grad({sum(cumprod(x, 0))}, {x})[0].value();
  CHECK(std::isinf(to_vector(gradient)[0]));  // 1 + 20 + 20² + … + 20³⁹ is 6·10⁵⁰
  CHECK(to_vector(slice(gradient, 0, 1)) == Numbers(39, 0.0));
}

TEST_CASE("cumprod: gradients where there are zeros") {
  // (a, ab, abc) with g = (1, 10, 100):  ∂a = 1 + 10b + 100bc, ∂b = 10a + 100ac, ∂c = 100ab
  CHECK(gradient_of(along_rows, {{2, 3, 5}, {2, 0, 5}, {0, 3, 0}}, {{1, 10, 100}, {1, 10, 100}, {1, 10, 100}}) ==
        Numbers{1531, 1020, 600, 1, 1020, 0, 31, 0, 0});
  CHECK(gradient_of([](const auto& in) { return cumprod(in[0], 0); }, {{2, 0}, {0, 3}}, {{1, 1}, {1, 1}}) ==
        Numbers{1, 4, 2, 0});
}

TEST_CASE("prod and cumprod: gradients of gradients where there are zeros") {
  // y = abc at (2, 0, 5): ∂²y/∂a∂b = c, ∂²y/∂b∂c = a, all others 0. The direction (1, 1, 1) sums rows of this table.
  const Variable x = leaf({{2, 0, 5}});
  const Variable slope = grad({prod(x, 1)}, {x}, {.gradients = {f64({1})}, .create_graph = true})[0];
  CHECK(to_vector(grad({sum(slope)}, {x})[0].value()) == Numbers{5, 7, 2});
  for (const auto& f : {of_rows, along_rows})
    for (const Nested& at :
         {Nested{{2, 0, 5, -1.5, 0.5}, {1, 0, 2, 0, 4}}, Nested{{0, 1, 2, 3, 0}, {0, 2, -1, 3, 1}}}) {
      const GradcheckReport report = gradcheck(f, {leaf(at)});
      INFO(fmt::format("{}", report));
      CHECK(report.passed());
    }
}

TEST_CASE("prod and cumprod: the same as one multiplication after the other, for any length") {
  for (const std::int64_t n : {1, 2, 3, 4, 7, 8, 9, 33}) {
    const Variable x = parameter(noise({2, n}, 3) + 0.5);
    std::vector<Variable> steps = {select(x, 1, 0)};
    for (std::int64_t i = 1; i < n; ++i) steps.push_back(steps.back() * select(x, 1, i));
    const auto agree = [&](const Variable& made, const Variable& expected) {
      CHECK(allclose(made.value(), expected.value(), 1e-13, 1e-14));
      const Tensor g = noise(made.shape(), 4);
      CHECK(allclose(grad({made}, {x}, {.gradients = {g}, .keep_graph = true})[0].value(),
                     grad({expected}, {x}, {.gradients = {g}, .keep_graph = true})[0].value(), 1e-12, 1e-13));
    };
    INFO(n);
    agree(cumprod(x, 1), stack(steps, 1));
    agree(prod(x, -1), steps.back());
  }
  const Variable none = parameter(zeros({2, 0}, DType::f64));
  for (const auto& f : {of_rows, along_rows}) CHECK(grad({sum(f({none}))}, {none})[0].shape() == Shape{2, 0});
}

}  // namespace regard
