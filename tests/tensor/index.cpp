#include "tensor/ops/index.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <cmath>

namespace regard {
using Values = std::vector<double>;

namespace {

Tensor indexes(const Nested& values) { return tensor(values, DType::i64); }

const Tensor indexed = tensor({{1, 2, 3}, {4, 5, 6}});

}  // namespace

TEST_CASE("index: index_select takes whole slices, repeated or not") {
  CHECK(to_vector(index_select(indexed, 0, indexes({1, 0, 1}))) == Values{4, 5, 6, 1, 2, 3, 4, 5, 6});
  CHECK(to_vector(index_select(indexed, -1, indexes({2, 0}))) == Values{3, 1, 6, 4});
  CHECK(index_select(indexed, 0, indexes(Nested{})).shape() == Shape{0, 3});
  CHECK(to_vector(index_select(transpose(indexed), 0, indexes({2}))) == Values{3, 6});
  CHECK(to_vector(index_select(indexed, 1, flip(arange(3), 0))) == to_vector(flip(indexed, 1)));
  CHECK_THROWS_AS(index_select(indexed, 0, indexes({{0}})), ShapeError);
  CHECK_THROWS_AS(index_select(indexed, 0, indexes({2})), ValueError);
  CHECK_THROWS_AS(index_select(indexed, 0, tensor({0})), DTypeError);
}

TEST_CASE("index: gather takes one element at a time") {
  CHECK(to_vector(gather(indexed, 1, indexes({{2, 0}, {1, 1}}))) == Values{3, 1, 5, 5});
  CHECK(to_vector(gather(indexed, 0, indexes({{1, 0, 1}}))) == Values{4, 2, 6});
  CHECK(gather(indexed, 0, indexes({{0, 1, 0}, {1, 0, 1}, {0, 0, 0}})).shape() == Shape{3, 3});
  CHECK(to_vector(gather(transpose(indexed), 0, transpose(indexes({{2, 0}, {1, 1}})))) == Values{3, 5, 1, 5});
  CHECK(gather(indexed, 1, zeros({2, 0}, DType::i64)).shape() == Shape{2, 0});
}

TEST_CASE("index: gather against three loops") {
  const Tensor t = reshape(arange(60, DType::f64), {3, 4, 5});
  for (int axis = 0; axis < 3; ++axis) {
    Shape shape = t.shape();
    shape[axis] = 7;
    std::vector<double> picks;
    for (std::int64_t n = 0; n < shape.numel(); ++n) picks.push_back(static_cast<double>(n * 11 % t.size(axis)));
    const Tensor index = tensor(picks, shape, DType::i64), y = gather(t, axis, index);
    REQUIRE(y.shape() == shape);
    for (std::int64_t i = 0; i < shape[0]; ++i)
      for (std::int64_t j = 0; j < shape[1]; ++j)
        for (std::int64_t k = 0; k < shape[2]; ++k) {
          const auto pick = static_cast<std::int64_t>(index.at({i, j, k}));
          CHECK(y.at({i, j, k}) == t.at({axis == 0 ? pick : i, axis == 1 ? pick : j, axis == 2 ? pick : k}));
        }
  }
}

TEST_CASE("index: scatter_add adds repeated indexes up") {
  const Tensor base = tensor({{10, 20, 30}, {40, 50, 60}});
  const Tensor index = indexes({{0, 0, 2, 0}, {1, 1, 1, 2}}), source = tensor({{1, 2, 3, 4}, {5, 6, 7, 8}});
  CHECK(to_vector(scatter_add(base, 1, index, source)) == Values{17, 20, 33, 40, 68, 68});
  CHECK(to_vector(scatter_add(base, 0, indexes({{1, 1, 0}}), tensor({{1, 2, 3}}))) == Values{10, 20, 33, 41, 52, 60});
  CHECK(to_vector(base) == Values{10, 20, 30, 40, 50, 60});  // the tensor itself does not change
  CHECK(identical(scatter_add(base, 1, zeros({2, 0}, DType::i64), zeros({2, 0})), base));
}

TEST_CASE("index: scatter_add is the reverse of gather: ⟨gather(x), s⟩ = ⟨x, scatter_add(0, s)⟩") {
  const Tensor t = reshape(arange(12, DType::f64), {3, 4});
  const Tensor index = indexes({{3, 3, 0, 1, 2}, {0, 0, 0, 0, 0}, {1, 2, 1, 2, 3}});
  const Tensor s = reshape(arange(1, 16, 1, DType::f64), {3, 5});
  const auto inner = [](const Tensor& a, const Tensor& b) {
    const auto p = to_vector(a), q = to_vector(b);
    double total = 0;
    for (std::size_t i = 0; i < p.size(); ++i) total += p[i] * q[i];
    return total;
  };
  CHECK(inner(gather(t, 1, index), s) == inner(t, scatter_add(zeros_like(t), 1, index, s)));
}

TEST_CASE("index: wrong indexes are refused") {
  for (double bad : {-1.0, 3.0, 1e15, -1e15}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(gather(indexed, 1, indexes({{0, 0}, {bad, 0}})), ValueError);
    CHECK_THROWS_AS(scatter_add(indexed, 1, indexes({{0}, {bad}}), ones({2, 1})), ValueError);
    CHECK_THROWS_AS(index_select(indexed, 1, indexes({0, bad})), ValueError);
    CHECK_THROWS_AS(one_hot(indexes({0, bad}), 3), ValueError);
  }
  CHECK_THROWS_AS(gather(indexed, 1, indexes({0, 1})), ShapeError);
  CHECK_THROWS_AS(gather(indexed, 1, indexes({{0}})), ShapeError);
  CHECK_THROWS_AS(gather(indexed, 1, tensor({{0}, {0}})), DTypeError);
  CHECK_THROWS_AS(scatter_add(indexed, 1, indexes({{0}, {0}}), ones({2, 2})), ShapeError);
  CHECK_THROWS_AS(scatter_add(indexed, 1, indexes({{0}, {0}}), ones({2, 1}, DType::f64)), DTypeError);
  CHECK_THROWS_AS(gather(zeros({0}), 0, indexes({0})), ValueError);
}

TEST_CASE("index: masked_fill") {
  CHECK(to_vector(masked_fill(indexed, tensor({1, 0, 1}), -1)) == Values{-1, 2, -1, -1, 5, -1});
  CHECK(to_vector(masked_fill(indexed, indexes({{0}, {2}}), 0)) == Values{1, 2, 3, 0, 0, 0});
  CHECK(to_vector(masked_fill(indexed, tensor(0), 9)) == to_vector(indexed));
  CHECK(to_vector(masked_fill(tensor({1, NAN}), tensor({0, 1}), -INFINITY)) == Values{1, -INFINITY});
  CHECK_THROWS_AS(masked_fill(indexed, ones({2, 2, 3}), 0), ShapeError);
  CHECK_THROWS_AS(masked_fill(indexed, ones({2}), 0), ShapeError);
}

TEST_CASE("index: triangles, shifted either way") {
  const Tensor m = tensor({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  CHECK(to_vector(tril(m)) == Values{1, 0, 0, 4, 5, 0, 7, 8, 9});
  CHECK(to_vector(triu(m)) == Values{1, 2, 3, 0, 5, 6, 0, 0, 9});
  CHECK(to_vector(tril(m, 1)) == Values{1, 2, 0, 4, 5, 6, 7, 8, 9});
  CHECK(to_vector(tril(m, -1)) == Values{0, 0, 0, 4, 0, 0, 7, 8, 0});
  CHECK(to_vector(triu(m, 1)) == Values{0, 2, 3, 0, 0, 6, 0, 0, 0});
  CHECK(to_vector(triu(m, -1)) == Values{1, 2, 3, 4, 5, 6, 0, 8, 9});
  CHECK(to_vector(triu(indexed)) == Values{1, 2, 3, 0, 5, 6});
  CHECK(to_vector(tril(indexed)) == Values{1, 0, 0, 4, 5, 0});
  for (std::int64_t d : {-5, 5}) CHECK(to_vector(d < 0 ? triu(m, d) : tril(m, d)) == to_vector(m));
  const Tensor spoilt = tril(full({2, 2, 2}, NAN));  // what is cut off is 0, not 0·NaN
  CHECK(spoilt.at({0, 0, 1}) == 0);
  CHECK(std::isnan(spoilt.at({1, 1, 0})));
  CHECK_THROWS_AS(tril(arange(3)), ShapeError);
}

TEST_CASE("index: one_hot") {
  CHECK(to_vector(one_hot(indexes({2, 0}), 3)) == Values{0, 0, 1, 1, 0, 0});
  CHECK(one_hot(indexes({{1, 0}, {0, 1}}), 4, DType::f64).shape() == Shape{2, 2, 4});
  CHECK(one_hot(tensor(1, DType::i64), 2).shape() == Shape{2});
  CHECK(one_hot(indexes(Nested{}), 3).shape() == Shape{0, 3});
  CHECK(one_hot(arange(2), 2).dtype() == DType::f32);
  CHECK_THROWS_AS(one_hot(tensor({1}), 2), DTypeError);
}

TEST_CASE("a diagonal far outside the matrix keeps all or nothing") {
  const Tensor wide = ones({2, 3});
  CHECK(identical(tril(wide, INT64_MAX), wide));
  CHECK(identical(triu(wide, INT64_MIN), wide));
  CHECK(sum(tril(wide, INT64_MIN)).item() == 0);
  CHECK(sum(triu(wide, INT64_MAX)).item() == 0);
}

}  // namespace regard
