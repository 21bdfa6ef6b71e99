#include "tensor/ops/softmax.h"
#include "tensor/fused/masked_softmax.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>

namespace regard {

namespace {

// The definition, for numbers small enough not to overflow.
Tensor definition(const Tensor& x, int axis) { return exp(x) / sum(exp(x), axis, keepdim); }

}  // namespace

TEST_CASE("softmax: values") {
  // 1/(1 + e), e/(1 + e)
  CHECK(allclose(softmax(tensor({0, 1}, DType::f64), 0), tensor({0.2689414213699951, 0.7310585786300049}, DType::f64),
                 1e-15, 0));
  CHECK(allclose(softmax(log(tensor({1, 2, 5}, DType::f64)), 0), tensor({0.125, 0.25, 0.625}, DType::f64), 1e-15, 0));
  CHECK(allclose(log_softmax(tensor({0, 1}, DType::f64), 0),
                 tensor({-1.3132616875182228, -0.31326168751822286}, DType::f64), 1e-15, 0));
}

TEST_CASE("softmax: along any axis, of any view, it is the definition") {
  const Tensor x = noise({3, 4, 5}, 3, DType::f64, 2);
  for (int axis = -3; axis < 3; ++axis)
    for (const Tensor& view : {x, transpose(x), permute(x, {1, 2, 0}), flip(x, 1), slice(x, 2, 0, to_end, 2),
                               expand(slice(x, 0, 0, 1), {3, 4, 5})}) {
      CAPTURE(axis, to_string(view.strides()));
      CHECK(softmax(view, axis).shape() == view.shape());
      CHECK(allclose(softmax(view, axis), definition(view, axis), 1e-14, 0));
      CHECK(allclose(log_softmax(view, axis), log(definition(view, axis)), 1e-13, 1e-14));
    }
}

TEST_CASE("softmax: rows sum to 1") {
  for (double deviation : {0.1, 10.0, 1000.0}) {
    const Tensor x = noise({50, 333}, 3, DType::f32, deviation);
    CHECK(largest_difference(sum(softmax(x, 1), 1), ones({50})) < 1e-6);
    CHECK(largest_difference(sum(exp(log_softmax(x, 1)), 1), ones({50})) < 1e-4);
    const Tensor y = to(x, DType::f64);
    CHECK(largest_difference(sum(softmax(y, 0), 0), ones({333}, DType::f64)) < 1e-14);
  }
}

TEST_CASE("softmax: a shift changes nothing, not even to where e^x overflows") {
  const Tensor x =
      to(to(noise({4, 9}, 3, DType::f64, 3) * 256, DType::i64), DType::f64) / 256;  // so that shifts are exact
  for (double shift : {-1e6, -1000.0, 1.0, 400.0, 1e6}) {
    CHECK(identical(softmax(x + shift, 1), softmax(x, 1)));
    CHECK(identical(log_softmax(x + shift, 1), log_softmax(x, 1)));
  }
}

TEST_CASE("softmax: infinities and NaN") {
  const auto check = [](const Nested& x, const Nested& y, const Nested& log_y) {
    CHECK(allclose(softmax(tensor(x), 0), tensor(y), 1e-6, 0));
    CHECK(allclose(log_softmax(tensor(x), 0), tensor(log_y), 1e-6, 0));
  };
  const double log2 = std::log(2.0), bad = NAN;
  check({-inf, 0}, {0, 1}, {-inf, 0});
  check({-inf, 5, 5, -inf}, {0, 0.5, 0.5, 0}, {-inf, -log2, -log2, -inf});
  check({-400, 400}, {0, 1}, {-800, 0});  // the logarithm is exact where softmax is 0
  check({-inf, -inf}, {bad, bad}, {bad, bad});
  check({inf, 1}, {bad, bad}, {bad, bad});
  check({1, bad, 2}, {bad, bad, bad}, {bad, bad, bad});
  // One bad row spoils no other.
  const Tensor rows = softmax(tensor({{bad, 1}, {0, 0}, {-inf, -inf}}), 1);
  CHECK(allclose(rows, tensor({{bad, bad}, {0.5, 0.5}, {bad, bad}}), 0, 0));
}

TEST_CASE("softmax: one element is certain, none is nothing") {
  CHECK(to_vector(softmax(tensor({{-700}, {3}}), 1)) == std::vector<double>{1, 1});
  CHECK(to_vector(log_softmax(tensor({{-700}, {3}}), 1)) == std::vector<double>{0, 0});
  CHECK(softmax(zeros({2, 0, 3}), 1).shape() == Shape{2, 0, 3});
  CHECK(log_softmax(zeros({0}), 0).shape() == Shape{0});
}

// They would have fewer digits, and slow down all that computes with them.
TEST_CASE("softmax: no weight is smaller than a normal number, but 0") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    const double steep = dtype == DType::f32 ? 0.25 : 2.0, least = dtype == DType::f32 ? 0x1p-126 : 0x1p-1022;
    const Tensor x = multiply(arange(500, DType::f64), -steep);
    for (const Tensor& y : {softmax(to(x, dtype), 0), masked_softmax(to(x, dtype), 1, ones({500}, dtype))}) {
      const std::vector<double> weights = to_vector(y);
      CHECK(sum(y).item() == Approx(1).epsilon(1e-6));
      CHECK(weights.back() == 0);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        CHECK((weights[i] == 0 || weights[i] >= least));
        if (weights[i] > 0) CHECK(weights[i] == Approx(weights[0] * std::exp(-steep * static_cast<double>(i))));
      }
      CHECK(std::count(weights.begin(), weights.end(), 0.0) < (dtype == DType::f32 ? 158 : 148));
    }
  }
}

TEST_CASE("softmax: needs an axis and real numbers") {
  CHECK_THROWS_AS(softmax(tensor(1), 0), ShapeError);
  CHECK_THROWS_AS(softmax(zeros({2}), 1), ShapeError);
  CHECK_THROWS_AS(softmax(arange(2), 0), DTypeError);
  CHECK_THROWS_AS(log_softmax(arange(2), 0), DTypeError);
}

}  // namespace regard
