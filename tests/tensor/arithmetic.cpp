#include "tensor/ops/arithmetic.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>
#include <functional>

namespace regard {
using Values = std::vector<double>;

namespace {

using Binary = std::function<Tensor(const Tensor&, const Tensor&)>;

}  // namespace

TEST_CASE("arithmetic: operators between tensors") {
  const Tensor a = tensor({6, 7, -8}), b = tensor({2, -2, 0.5});
  CHECK(to_vector(a + b) == Values{8, 5, -7.5});
  CHECK(to_vector(a - b) == Values{4, 9, -8.5});
  CHECK(to_vector(a * b) == Values{12, -14, -4});
  CHECK(to_vector(a / b) == Values{3, -3.5, -16});
  CHECK(to_vector(-a) == Values{-6, -7, 8});
}

TEST_CASE("arithmetic: operators with a number, either way round") {
  const Tensor a = tensor({2, -4});
  CHECK(to_vector(a + 1) == Values{3, -3});
  CHECK(to_vector(1 + a) == Values{3, -3});
  CHECK(to_vector(a - 1) == Values{1, -5});
  CHECK(to_vector(1 - a) == Values{-1, 5});
  CHECK(to_vector(a * 3) == Values{6, -12});
  CHECK(to_vector(3 * a) == Values{6, -12});
  CHECK(to_vector(a / 2) == Values{1, -2});
  CHECK(to_vector(2 / a) == Values{1, -0.5});
  CHECK((a + 1).dtype() == DType::f32);
  CHECK((1 - to(a, DType::f64)).dtype() == DType::f64);
}

TEST_CASE("arithmetic: powers") {
  const Tensor x = tensor({0, 0.25, 3, -2}, DType::f64);
  CHECK(to_vector(pow(x, 2)) == Values{0, 0.0625, 9, 4});
  CHECK(to_vector(pow(x, 3)) == Values{0, 0.015625, 27, -8});
  CHECK(to_vector(pow(x, 0)) == Values{1, 1, 1, 1});
  CHECK(allclose(pow(x, 0.5), tensor({0, 0.5, std::sqrt(3), nan}, DType::f64), 1e-15, 0));
  CHECK(allclose(pow(x, -1), tensor({inf, 4, 1.0 / 3, -0.5}, DType::f64), 1e-15, 0));
  CHECK(to_vector(pow(tensor({2, 3}), tensor({3, 2}))) == Values{8, 9});
}

TEST_CASE("arithmetic: broadcasting, element by element") {
  const Tensor a = reshape(arange(1, 7), {2, 1, 3}), b = reshape(arange(1, 5), {4, 1}), c = reshape(arange(1, 4), {3});
  const Tensor all = a * 100 + b * 10 + c, reversed = c - (b + a);
  REQUIRE(all.shape() == Shape{2, 4, 3});
  REQUIRE(reversed.shape() == Shape{2, 4, 3});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k) {
        CHECK(all.at({i, j, k}) == 100 * (3 * i + k + 1) + 10 * (j + 1) + (k + 1));
        CHECK(reversed.at({i, j, k}) == (k + 1) - ((j + 1) + (3 * i + k + 1)));
      }
  CHECK(to_vector(tensor({{1}, {2}}) * tensor({10, 20, 30})) == Values{10, 20, 30, 20, 40, 60});
  CHECK(to_vector(tensor({{1}, {2}}) / tensor(4)) == Values{0.25, 0.5});
  CHECK(to_vector(less(tensor({1, 5}), tensor({{2}, {0}}))) == Values{1, 0, 0, 0});
}

TEST_CASE("arithmetic: IEEE 754 rules") {
  const Tensor x = tensor({1, -1, 0, inf, nan});
  CHECK(allclose(x / 0, tensor({inf, -inf, nan, inf, nan}), 0, 0));
  CHECK(allclose(x - inf, tensor({-inf, -inf, -inf, nan, nan}), 0, 0));
  CHECK(std::signbit((-tensor(0)).item()));
}

TEST_CASE("arithmetic: the larger and the smaller, NaN if either is") {
  const Tensor a = tensor({1, 5, nan, 2, -inf}), b = tensor({3, 4, 1, nan, inf});
  CHECK(allclose(maximum(a, b), tensor({3, 5, nan, nan, inf}), 0, 0));
  CHECK(allclose(minimum(a, b), tensor({1, 4, nan, nan, -inf}), 0, 0));
  CHECK(allclose(maximum(a, 2), tensor({2, 5, nan, 2, 2}), 0, 0));
  CHECK(allclose(minimum(a, 2), tensor({1, 2, nan, 2, -inf}), 0, 0));
  CHECK(allclose(maximum(tensor({1, 2}), nan), tensor({nan, nan}), 0, 0));
  CHECK(to_vector(maximum(arange(4), 2)) == Values{2, 2, 2, 3});
}

TEST_CASE("arithmetic: comparisons, which NaN always fails but for not_equal") {
  const Tensor a = tensor({1, 2, 3, nan, nan}), b = tensor({2, 2, 2, 2, nan});
  CHECK(to_vector(equal(a, b)) == Values{0, 1, 0, 0, 0});
  CHECK(to_vector(not_equal(a, b)) == Values{1, 0, 1, 1, 1});
  CHECK(to_vector(less(a, b)) == Values{1, 0, 0, 0, 0});
  CHECK(to_vector(less_equal(a, b)) == Values{1, 1, 0, 0, 0});
  CHECK(to_vector(greater(a, b)) == Values{0, 0, 1, 0, 0});
  CHECK(to_vector(greater_equal(a, b)) == Values{0, 1, 1, 0, 0});
  CHECK(to_vector(equal(a, 2)) == Values{0, 1, 0, 0, 0});
  CHECK(to_vector(not_equal(a, 2)) == Values{1, 0, 1, 1, 1});
  CHECK(to_vector(less(a, 2)) == Values{1, 0, 0, 0, 0});
  CHECK(to_vector(less_equal(a, 2)) == Values{1, 1, 0, 0, 0});
  CHECK(to_vector(greater(a, 2)) == Values{0, 0, 1, 0, 0});
  CHECK(to_vector(greater_equal(a, 2)) == Values{0, 1, 1, 0, 0});
  CHECK(less(a, b).dtype() == DType::f32);
  CHECK(less(arange(3), 1).dtype() == DType::i64);
}

TEST_CASE("arithmetic: where picks, and what is not picked leaves no trace") {
  const Tensor condition = tensor({1, 0, -2, nan}), a = tensor({1, nan, 3, 4}), b = tensor({nan, 20, inf, nan});
  CHECK(to_vector(where(condition, a, b)) == Values{1, 20, 3, 4});  // NaN is not 0
  const Tensor mask = tensor({{1}, {0}}, DType::i64);
  const Tensor picked = where(mask, tensor({1, 2}, DType::f64), tensor(9, DType::f64));
  CHECK(picked.dtype() == DType::f64);
  CHECK(picked.shape() == Shape{2, 2});
  CHECK(to_vector(picked) == Values{1, 2, 9, 9});
  CHECK(to_vector(where(tensor({0.25, 0}), arange(2), arange(2) + 10)) == Values{0, 11});  // 0.25 is not cut to 0
}

TEST_CASE("arithmetic: nothing is converted behind the user's back") {
  const Tensor f32 = ones({2}), f64 = ones({2}, DType::f64), i64 = ones({2}, DType::i64);
  for (const Binary& f :
       {Binary([](auto&x, auto&y) { return add(x, y); }), Binary([](auto&x, auto&y) { return divide(x, y); }),
        Binary([](auto&x, auto&y) { return pow(x, y); }), Binary([](auto&x, auto&y) { return maximum(x, y); }),
        Binary([](auto&x, auto&y) { return equal(x, y); }), Binary([](auto&x, auto&y) { return where(x, x, y); })}) {
    CHECK_THROWS_AS(f(f32, f64), DTypeError);
    CHECK_THROWS_AS(f(f64, i64), DTypeError);
    CHECK_THROWS_AS(f(i64, f32), DTypeError);
  }
}

TEST_CASE("arithmetic: i64 takes whole numbers, and does not divide") {
  const Tensor x = tensor({1, 2}, DType::i64);
  CHECK(to_vector(x * 3 + 1 - x) == Values{3, 5});
  CHECK(to_vector(7 - x) == Values{6, 5});
  for (double number : {0.5, nan, inf, -inf, 1e19}) {
    CAPTURE(number);
    CHECK_THROWS_AS(x + number, DTypeError);
    CHECK_THROWS_AS(number - x, DTypeError);
    CHECK_THROWS_AS(less(x, number), DTypeError);
    CHECK_THROWS_AS(maximum(x, number), DTypeError);
  }
  CHECK_THROWS_AS(x / x, DTypeError);
  CHECK_THROWS_AS(x / 2, DTypeError);
  CHECK_THROWS_AS(2 / x, DTypeError);
  CHECK_THROWS_AS(pow(x, 2), DTypeError);
  CHECK_THROWS_AS(pow(x, x), DTypeError);
}

TEST_CASE("arithmetic: a remainder has the sign of the divisor, as Python's % has") {
  const Tensor a = tensor({7, -7, 7, -7, 6}), b = tensor({3, 3, -3, -3, 3});
  CHECK(to_vector(remainder(a, b)) == std::vector<double>{1, 2, -2, -1, 0});
  CHECK(to_vector(remainder(to(a, DType::i64), to(b, DType::i64))) == std::vector<double>{1, 2, -2, -1, 0});
  CHECK(remainder(tensor(5.5), 2).item() == 1.5);
  CHECK(remainder(tensor(-0.25, DType::f64), 1).item() == 0.75);
  CHECK(std::isnan(remainder(tensor(1), 0).item()));
  const Tensor lowest = full({}, -0x1p63, DType::i64);
  CHECK(remainder(lowest, -1).item() == 0);
  CHECK_THROWS_WITH(remainder(lowest, 0), "remainder: a divisor is 0, and whole numbers have no remainder of that");
  CHECK_THROWS_AS(remainder(lowest, 1.5), DTypeError);
}

TEST_CASE("arithmetic: where takes a number on either side, in the dtype of the tensor") {
  const Tensor c = tensor({1, 0}), x = tensor({5, 6}, DType::f64);
  CHECK(to_vector(where(c, x, 0.5)) == std::vector<double>{5, 0.5});
  CHECK(to_vector(where(c, 0, x)) == std::vector<double>{0, 6});
  CHECK(where(c, x, 0.0).dtype() == DType::f64);
  CHECK_THROWS_AS(where(c, to(x, DType::i64), 0.5), DTypeError);
}

}  // namespace regard
