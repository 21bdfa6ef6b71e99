#include "tensor/ops/order.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/index.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <algorithm>
#include <cmath>

namespace regard {
using Values = std::vector<double>;

TEST_CASE("order: cumsum along any axis") {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(to_vector(cumsum(x, 1)) == Values{1, 3, 6, 4, 9, 15});
  CHECK(to_vector(cumsum(x, -2)) == Values{1, 2, 3, 5, 7, 9});
  CHECK(to_vector(cumsum(flip(x, 1), 1)) == Values{3, 5, 6, 6, 11, 15});
  CHECK(to_vector(cumsum(transpose(x), 0)) == Values{1, 4, 3, 9, 6, 15});
  CHECK(cumsum(arange(4), 0).dtype() == DType::i64);
  CHECK(cumsum(x, 0).shape() == Shape{2, 3});
  CHECK(allclose(cumsum(tensor({1, NAN, 2}), 0), tensor({1, NAN, NAN}), 0, 0));
}

TEST_CASE("order: cumprod along any axis") {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(to_vector(cumprod(x, 1)) == Values{1, 2, 6, 4, 20, 120});
  CHECK(to_vector(cumprod(x, -2)) == Values{1, 2, 3, 4, 10, 18});
  CHECK(to_vector(cumprod(flip(x, 1), 1)) == Values{3, 6, 6, 6, 30, 120});
  CHECK(to_vector(cumprod(tensor({2, 0, 3}), 0)) == Values{2, 0, 0});
  CHECK(cumprod(arange(4), 0).dtype() == DType::i64);
  CHECK(cumprod(tensor({1e30, 1e30, 1e-30}), 0).at({2}) == Approx(1e30));  // between them it is f64
  CHECK(allclose(cumprod(tensor({1, NAN, 2}), 0), tensor({1, NAN, NAN}), 0, 0));
}

TEST_CASE("order: sort up and down") {
  const Tensor x = tensor({{3, 1, 2}, {-1, 5, 0}});
  CHECK(to_vector(sort(x, 1)) == Values{1, 2, 3, -1, 0, 5});
  CHECK(to_vector(sort(x, -1, SortOrder::descending)) == Values{3, 2, 1, 5, 0, -1});
  CHECK(to_vector(sort(x, 0)) == Values{-1, 1, 0, 3, 5, 2});
  CHECK(to_vector(argsort(x, 1)) == Values{1, 2, 0, 0, 2, 1});
  CHECK(to_vector(sort(transpose(x), 0)) == Values{1, -1, 2, 0, 3, 5});
  CHECK(argsort(x, 0).dtype() == DType::i64);
}

TEST_CASE("order: equal elements keep their order, up and down") {
  const Tensor x = tensor({2, 1, 2, 1, 2, 1});
  CHECK(to_vector(argsort(x, 0)) == Values{1, 3, 5, 0, 2, 4});
  CHECK(to_vector(argsort(x, 0, SortOrder::descending)) == Values{0, 2, 4, 1, 3, 5});
  CHECK(to_vector(argsort(zeros({100}), 0, SortOrder::descending)) == to_vector(arange(100)));
  CHECK(to_vector(argsort(tensor({0, -0.0, 0}), 0)) == Values{0, 1, 2});
}

TEST_CASE("order: NaN is larger than everything") {
  const Tensor x = tensor({NAN, 1, inf, NAN, -inf});
  CHECK(to_vector(argsort(x, 0)) == Values{4, 1, 2, 0, 3});
  CHECK(to_vector(argsort(x, 0, SortOrder::descending)) == Values{0, 3, 2, 1, 4});
  CHECK(allclose(sort(x, 0), tensor({-inf, 1, inf, NAN, NAN}), 0, 0));
}

TEST_CASE("order: sort agrees with the standard library on many lines") {
  Generator generator(5);
  const Tensor x = normal({7, 501}, generator, 0, 1, DType::f64);
  const Tensor y = sort(x, 1);
  for (std::int64_t i = 0; i < 7; ++i) {
    auto row = to_vector(select(x, 0, i));
    std::sort(row.begin(), row.end());
    CHECK(to_vector(select(y, 0, i)) == row);
  }
  CHECK(identical(gather(x, 1, argsort(x, 1)), y));
}

TEST_CASE("order: i64 is compared with all its bits") {
  Tensor x = empty({3}, DType::i64);
  auto* values = x.writable<std::int64_t>();
  values[0] = INT64_MAX;
  values[1] = INT64_MAX - 1;  // the same number as a double
  values[2] = INT64_MIN;
  CHECK(to_vector(argsort(x, 0)) == Values{2, 1, 0});
}

TEST_CASE("order: the k largest, largest first") {
  const Tensor x = tensor({{3, 9, 4, 9}, {1, -1, NAN, 0}});
  const auto [values, indexes] = topk(x, 2, 1);
  CHECK(allclose(values, tensor({{9, 9}, {NAN, 1}}), 0, 0));
  CHECK(to_vector(indexes) == Values{1, 3, 2, 0});
  CHECK(indexes.dtype() == DType::i64);
  CHECK(to_vector(topk(tensor({{1, 2}, {3, 0}}), 1, 0).indexes) == Values{1, 0});
  CHECK(topk(x, 0, 1).values.shape() == Shape{2, 0});
  CHECK(topk(x, 4, -1).values.shape() == Shape{2, 4});
  CHECK_THROWS_AS(topk(x, 5, 1), ValueError);
  CHECK_THROWS_AS(topk(x, -1, 1), ValueError);
}

}  // namespace regard
