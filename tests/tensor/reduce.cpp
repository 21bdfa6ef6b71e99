#include "tensor/ops/reduce.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>

namespace regard {
using Values = std::vector<double>;

namespace {

const Tensor reduced = reshape(arange(24, DType::f64), {2, 3, 4});  // x[i, j, k] = 12i + 4j + k

// Adds up x[i, j, k] by definition, over the axes that are marked.
Values looped_sum(const Tensor& t, bool over_i, bool over_j, bool over_k) {
  const auto n = [&](int axis) { return t.size(axis); };
  Values sums(static_cast<std::size_t>((over_i ? 1 : n(0)) * (over_j ? 1 : n(1)) * (over_k ? 1 : n(2))), 0.0);
  for (std::int64_t i = 0; i < n(0); ++i)
    for (std::int64_t j = 0; j < n(1); ++j)
      for (std::int64_t k = 0; k < n(2); ++k) {
        const auto row = over_i ? 0 : i;
        const auto column = over_j ? row : row * n(1) + j;
        const auto place = over_k ? column : column * n(2) + k;
        sums[static_cast<std::size_t>(place)] += t.at({i, j, k});
      }
  return sums;
}

}  // namespace

TEST_CASE("reduce: sums over every set of axes, of views of every kind") {
  for (const Tensor& t : {reduced, transpose(reduced), permute(reduced, {2, 0, 1}), flip(reduced, 1),
                          slice(reduced, 2, 0, to_end, 2), expand(slice(reduced, 1, 0, 1), {2, 5, 4})})
    for (int set = 0; set < 8; ++set) {
      std::vector<int> axes;
      for (int axis = 0; axis < 3; ++axis)
        if (set >> axis & 1) axes.push_back(axis % 2 ? axis : axis - 3);  // counted from either side
      CAPTURE(set, to_string(t.shape()), to_string(t.strides()));
      CHECK(to_vector(sum(t, ReducedAxes(axes))) == looped_sum(t, set & 1, set & 2, set & 4));
      CHECK(to_vector(sum(t, ReducedAxes(axes), keepdim)) == looped_sum(t, set & 1, set & 2, set & 4));
    }
}

TEST_CASE("reduce: shapes, with and without the reduced axes") {
  CHECK(sum(reduced).shape() == Shape{});
  CHECK(sum(reduced, 1).shape() == Shape{2, 4});
  CHECK(sum(reduced, {0, -1}).shape() == Shape{3});
  CHECK(sum(reduced, {-1, 0}, keepdim).shape() == Shape{1, 3, 1});
  CHECK(sum(reduced, {}, keepdim).shape() == Shape{1, 1, 1});
  CHECK(max(reduced, -2, keepdim).shape() == Shape{2, 1, 4});
  CHECK(argmax(reduced, 1).shape() == Shape{2, 4});
  CHECK(argmax(reduced, 1, keepdim).shape() == Shape{2, 1, 4});
}

TEST_CASE("reduce: no axes, nothing happens") {
  CHECK(identical(sum(reduced, ReducedAxes(std::vector<int>{})), reduced));
  CHECK(identical(max(reduced, ReducedAxes(std::vector<int>{})), reduced));
  CHECK(to_vector(var(reduced, ReducedAxes(std::vector<int>{}))) == Values(24, 0));
}

TEST_CASE("reduce: axes must exist and be named once") {
  CHECK_THROWS_AS(sum(reduced, 3), ShapeError);
  CHECK_THROWS_AS(sum(reduced, {0, 0}), ShapeError);
  CHECK_THROWS_AS(mean(reduced, {1, -2}), ShapeError);
}

TEST_CASE("reduce: mean, max, min") {
  CHECK(to_vector(mean(reduced, 2)) == Values{1.5, 5.5, 9.5, 13.5, 17.5, 21.5});
  CHECK(mean(reduced).item() == 11.5);
  CHECK(to_vector(max(reduced, {0, 1})) == Values{20, 21, 22, 23});
  CHECK(to_vector(min(reduced, {1, 2})) == Values{0, 12});
  CHECK(max(tensor({-3, -1, -2})).item() == -1);
  CHECK(min(tensor({3, 1, 2}, DType::i64)).item() == 1);
  CHECK(max(reduced).dtype() == DType::f64);
  CHECK_THROWS_AS(mean(arange(3)), DTypeError);
  CHECK(sum(arange(5)).item() == 10);
}

TEST_CASE("reduce: products over any axes, and of nothing") {
  const Tensor x = tensor({{{1, 2}, {3, 4}, {5, 6}}, {{-1, 1}, {2, 0}, {1, 7}}});
  CHECK(prod(x).item() == 0);
  CHECK(to_vector(prod(x, 0)) == Values{-1, 2, 6, 0, 5, 42});
  CHECK(to_vector(prod(x, {0, -1})) == Values{-2, 0, 210});
  CHECK(prod(x, {1, 2}, keepdim).shape() == Shape{2, 1, 1});
  CHECK(to_vector(prod(x, {1, 2})) == Values{720, 0});
  CHECK(to_vector(prod(full({3, 200}, -1), 1)) == Values{1, 1, 1});
  CHECK(to_vector(prod(full({65, 9}, -1), 0)) == Values(9, -1));
  CHECK(prod(arange(1, 21, 1, DType::i64)).item() == 2432902008176640000.0);  // 20!
  CHECK(to_vector(prod(zeros({2, 0}), 1)) == Values{1, 1});
  CHECK(prod(zeros({2, 0}), 0).shape() == Shape{0});
  CHECK(std::isnan(prod(tensor({0, NAN})).item()));
  CHECK_THROWS_AS(prod(x, 3), ShapeError);
}

TEST_CASE("reduce: variance, with the divisor n − correction") {
  const Tensor y = tensor({1, 2, 4}, DType::f64);  // mean 7/3, squares of the deviations add up to 14/3
  CHECK(var(y).item() == Approx(14.0 / 9).epsilon(1e-15));
  CHECK(var(y, {}, KeepDim::no, 1).item() == Approx(7.0 / 3).epsilon(1e-15));
  CHECK(std::isnan(var(tensor({5}), {}, KeepDim::no, 1).item()));  // 0/0
  CHECK(var(y, {}, KeepDim::no, 7).item() == inf);                 // never negative
  CHECK(to_vector(var(tensor({{1, 3}, {2, 8}}), 0)) == Values{0.25, 6.25});
  CHECK(var(y + 1e8).item() == Approx(14.0 / 9).epsilon(1e-7));  // the mean is taken off first
}

TEST_CASE("reduce: NaN in, NaN out") {
  for (const Values& v : {Values{NAN, 1, 2}, Values{1, NAN, 2}, Values{1, 2, NAN}, Values{inf, NAN, -inf}}) {
    const Tensor t = tensor(v, {3});
    for (const Tensor& y : {sum(t), mean(t), max(t), min(t), var(t), logsumexp(t)}) CHECK(std::isnan(y.item()));
  }
}

TEST_CASE("reduce: infinities") {
  CHECK(sum(tensor({inf, 1})).item() == inf);
  CHECK(std::isnan(sum(tensor({inf, -inf})).item()));
  CHECK(max(tensor({-inf, -inf})).item() == -inf);
  CHECK(min(tensor({inf, 3})).item() == 3);
}

TEST_CASE("reduce: the sum of nothing is 0, the mean is NaN, and there is no largest") {
  const Tensor nothing = zeros({2, 0, 3});
  CHECK(to_vector(sum(nothing, 1)) == Values(6, 0));
  CHECK(sum(nothing).item() == 0);
  CHECK(sum(nothing, 0).shape() == Shape{0, 3});
  CHECK(std::isnan(mean(nothing).item()));
  CHECK(to_vector(logsumexp(nothing, 1)) == Values(6, -inf));
  CHECK(max(nothing, 0).shape() == Shape{0, 3});
  CHECK_THROWS_AS(max(nothing, 1), ShapeError);
  CHECK_THROWS_AS(min(nothing), ShapeError);
  CHECK_THROWS_AS(argmax(nothing, 1), ShapeError);
}

TEST_CASE("reduce: logsumexp neither overflows nor loses the small") {
  const double log2 = std::log(2.0);
  CHECK(logsumexp(tensor({1000, 1000}, DType::f64)).item() == Approx(1000 + log2).epsilon(1e-15));
  CHECK(logsumexp(tensor({-1000, -1000}, DType::f64)).item() == Approx(-1000 + log2).epsilon(1e-15));
  CHECK(logsumexp(tensor({0, 0}), 0).item() == Approx(log2).epsilon(1e-7));
  CHECK(logsumexp(tensor({-inf, 3})).item() == 3);
  CHECK(logsumexp(tensor({-inf, -inf})).item() == -inf);
  CHECK(logsumexp(tensor({inf, 1})).item() == inf);
  CHECK(logsumexp(tensor({inf, -inf})).item() == inf);
  CHECK(logsumexp(tensor(2.5)).item() == 2.5);
  CHECK(allclose(logsumexp(zeros({3, 500}), 1), full({3}, std::log(500)), 1e-6));
  CHECK_THROWS_AS(logsumexp(arange(3)), DTypeError);
}

TEST_CASE("reduce: argmax takes the first of equals, and NaN before all numbers") {
  CHECK(argmax(tensor({1, 7, 7, 2}), 0).item() == 1);
  CHECK(argmax(tensor({5, 5}), 0).item() == 0);
  CHECK(argmax(tensor({1, NAN, inf, NAN}), 0).item() == 1);
  CHECK(argmax(tensor({-inf, -inf}), 0).item() == 0);
  CHECK(to_vector(argmax(tensor({{1, 9, 3}, {4, 2, 6}}), 0)) == Values{1, 0, 1});
  CHECK(to_vector(argmax(tensor({{1, 9, 3}, {4, 2, 6}}), -1)) == Values{1, 2});
  CHECK(to_vector(argmax(transpose(tensor({{1, 9, 3}, {4, 2, 6}})), 0)) == Values{1, 2});
  CHECK(argmax(reduced, 0).dtype() == DType::i64);
}

TEST_CASE("reduce: all are finite, or one is not") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    CHECK(all_finite(ones({3, 4}, dtype)));
    CHECK(all_finite(zeros({0, 4}, dtype)));
    const double largest = dtype == DType::f32 ? 3e38 : 1.7e308;
    CHECK(all_finite(full({3, 4}, largest, dtype)));  // though their sum is not
    for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY), -static_cast<double>(INFINITY)})
      CHECK_FALSE(all_finite(tensor({1, bad, 2, -bad}, dtype)));
  }
}

TEST_CASE("reduce: sum_to undoes a broadcast") {
  CHECK(to_vector(sum_to(reduced, {4})) == looped_sum(reduced, true, true, false));
  CHECK(to_vector(sum_to(reduced, {3, 1})) == looped_sum(reduced, true, false, true));
  CHECK(to_vector(sum_to(reduced, {1, 3, 4})) == looped_sum(reduced, true, false, false));
  CHECK(sum_to(reduced, {1, 3, 4}).shape() == Shape{1, 3, 4});
  CHECK(sum_to(reduced, {}).item() == 276);
  CHECK(sum_to(reduced, {2, 3, 4}).shares_buffer_with(reduced));
  CHECK_THROWS_AS(sum_to(reduced, {2}), ShapeError);
  CHECK_THROWS_AS(sum_to(reduced, {5, 2, 3, 4}), ShapeError);
  CHECK_THROWS_AS(sum_to(ones({1}), {2}), ShapeError);
}

TEST_CASE("reduce: argmin takes the first of equals, and NaN before all numbers") {
  CHECK(argmin(tensor({7, 1, 1, 2}), 0).item() == 1);
  CHECK(argmin(tensor({1, NAN, -inf, NAN}), 0).item() == 1);
  CHECK(to_vector(argmin(tensor({{1, 9, 3}, {4, 2, 6}}), 0)) == Values{0, 1, 0});
  CHECK(argmin(tensor({3, -5, 2}, DType::i64), 0).item() == 1);
  CHECK(argmin(reduced, 1, keepdim).shape() == Shape{2, 1, 4});
}

TEST_CASE("reduce: all and any ask whether elements are 0, NaN among those that are not") {
  const Tensor x = tensor({{1, 0, NAN}, {2, 3, -1}});
  CHECK(all(x).item() == 0);
  CHECK(any(x).item() == 1);
  CHECK(to_vector(all(x, 1)) == Values{0, 1});
  CHECK(to_vector(all(x, 0)) == Values{1, 0, 1});
  CHECK(to_vector(any(x * 0, 0)) == Values{0, 0, 1});
  CHECK(all(tensor({1, 2}, DType::i64)).dtype() == DType::i64);
  const Tensor nothing = zeros({2, 0});
  CHECK(to_vector(all(nothing, 1)) == Values{1, 1});
  CHECK(to_vector(any(nothing, 1)) == Values{0, 0});
}

}  // namespace regard
