#include "tensor/create.h"

#include "tests/catch.h"

#include <cmath>

namespace regard {
using Values = std::vector<double>;

TEST_CASE("create: zeros, ones, full and their likes") {
  CHECK(to_vector(zeros({2, 2})) == Values{0, 0, 0, 0});
  CHECK(to_vector(ones({3}, DType::i64)) == Values{1, 1, 1});
  CHECK(to_vector(full({2}, 0.25, DType::f64)) == Values{0.25, 0.25});
  CHECK(full({}, 7).item() == 7);
  CHECK(zeros({2}).dtype() == DType::f32);
  const Tensor x = full({2, 3}, 9, DType::f64);
  CHECK(to_vector(zeros_like(x)) == Values(6, 0));
  CHECK(to_vector(ones_like(x)) == Values(6, 1));
  CHECK(ones_like(x).dtype() == DType::f64);
  CHECK(ones_like(x).shape() == Shape{2, 3});
}

TEST_CASE("create: arange counts") {
  CHECK(arange(4).dtype() == DType::i64);
  CHECK(to_vector(arange(4)) == Values{0, 1, 2, 3});
  CHECK(arange(0).shape() == Shape{0});
  CHECK(arange(3, DType::f32).dtype() == DType::f32);
  CHECK_THROWS_AS(arange(-1), ValueError);
}

TEST_CASE("create: arange goes from begin, in steps, to before the end") {
  CHECK(arange(1, 4).dtype() == DType::f32);
  CHECK(to_vector(arange(1, 4)) == Values{1, 2, 3});
  CHECK(to_vector(arange(1, 4.5)) == Values{1, 2, 3, 4});
  CHECK(to_vector(arange(0, 1, 0.25)) == Values{0, 0.25, 0.5, 0.75});
  CHECK(to_vector(arange(3, 0, -1)) == Values{3, 2, 1});
  CHECK(to_vector(arange(-2, 5, 3, DType::i64)) == Values{-2, 1, 4});
  CHECK(arange(3, 0).shape() == Shape{0});
  CHECK(arange(2, 2).shape() == Shape{0});
}

TEST_CASE("create: arange refuses ranges that never end") {
  CHECK_THROWS_AS(arange(0, 1, 0), ValueError);
  CHECK_THROWS_AS(arange(0, INFINITY), ValueError);
  CHECK_THROWS_AS(arange(NAN, 1), ValueError);
  CHECK_THROWS_AS(arange(0, 1e300), ValueError);
  CHECK_THROWS_AS(arange(-1e308, 1e308), ValueError);  // the distance overflows
  CHECK_THROWS_AS(arange(0, 1, 1e-300), ValueError);
}

TEST_CASE("create: linspace contains both ends, exactly") {
  CHECK(to_vector(linspace(0, 1, 5)) == Values{0, 0.25, 0.5, 0.75, 1});
  CHECK(to_vector(linspace(2, -2, 3)) == Values{2, 0, -2});
  CHECK(to_vector(linspace(3, 9, 1)) == Values{3});
  CHECK(linspace(0, 1, 0).shape() == Shape{0});
  for (std::int64_t count : {2, 3, 7, 49, 1000}) {
    const Tensor x = linspace(0.1, 0.7, count, DType::f64);
    CHECK(x.at({0}) == 0.1);
    CHECK(x.at({-1}) == 0.7);
  }
  CHECK_THROWS_AS(linspace(0, 1, -1), ValueError);
}

TEST_CASE("create: eye") {
  CHECK(to_vector(eye(3)) == Values{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(eye(2, DType::i64).dtype() == DType::i64);
  CHECK(eye(0).shape() == Shape{0, 0});
  CHECK_THROWS_AS(eye(-1), ShapeError);
}

TEST_CASE("create: a tensor written out has the shape of its braces") {
  CHECK(tensor(3).shape() == Shape{});
  CHECK(tensor({3}).shape() == Shape{1});
  CHECK(tensor({1, 2}).shape() == Shape{2});
  CHECK(tensor({{1, 2}}).shape() == Shape{1, 2});
  CHECK(tensor({{1}, {2}}).shape() == Shape{2, 1});
  CHECK(tensor({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}).shape() == Shape{2, 2, 2});
  CHECK(to_vector(tensor({{1, 2}, {3, 4}})) == Values{1, 2, 3, 4});
  CHECK(tensor({1, 2}).dtype() == DType::f32);
  CHECK(to_vector(tensor({0.5, -1}, DType::f64)) == Values{0.5, -1});
}

TEST_CASE("create: empty lists are axes of size 0") {
  CHECK(tensor(Nested{}).shape() == Shape{0});
  CHECK(tensor({Nested{}, Nested{}}).shape() == Shape{2, 0});
}

TEST_CASE("create: ragged lists are refused") {
  CHECK_THROWS_AS(tensor({{1, 2}, {3}}), ShapeError);
  CHECK_THROWS_AS(tensor({{1}, 2}), ShapeError);
  CHECK_THROWS_AS(tensor({1, {2}}), ShapeError);
  CHECK_THROWS_AS(tensor({Nested{}, {1}}), ShapeError);
  CHECK_THROWS_WITH(tensor({{1, 2}, {3, 4, 5}, {6}}), Catch::Matchers::ContainsSubstring("ragged"));  // though 3·2 = 6
  CHECK_THROWS_AS(tensor({{{1}, {2}}, {{1}, {2, 3}}}), ShapeError);
}

TEST_CASE("create: a tensor from numbers in row-major order") {
  const Tensor x = tensor(Values{1, 2, 3, 4, 5, 6}, {2, 3}, DType::f64);
  CHECK(x.at({1, 0}) == 4);
  CHECK(x.dtype() == DType::f64);
  CHECK(tensor(Values{}, {0, 4}).numel() == 0);
  CHECK_THROWS_AS(tensor(Values{1, 2}, {3}), ShapeError);
}

}  // namespace regard
