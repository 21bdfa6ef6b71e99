#include "tensor/compare.h"

#include "tensor/create.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>

namespace regard {

TEST_CASE("compare: identical means the same bits") {
  const Tensor x = tensor({1, nan, 0});
  CHECK(identical(x, tensor({1, nan, 0})));
  CHECK_FALSE(identical(x, tensor({1, nan, -0.0})));
  CHECK_FALSE(identical(x, tensor({std::nextafter(1.0f, 2.0f), nan, 0})));
  CHECK_FALSE(identical(x, tensor({{1, nan, 0}})));
  CHECK_FALSE(identical(ones({2}), ones({2}, DType::f64)));
  CHECK(identical(tensor({{1, 3}, {2, 4}}), transpose(tensor({{1, 2}, {3, 4}}))));
  CHECK(identical(zeros({0, 2}), zeros({0, 2})));
  CHECK_FALSE(identical(zeros({0, 2}), zeros({2, 0})));
}

TEST_CASE("compare: identical sees the last bit of i64, which a double would not") {
  Tensor a = empty({}, DType::i64), b = empty({}, DType::i64);
  *a.writable<std::int64_t>() = (std::int64_t{1} << 53) + 1;
  *b.writable<std::int64_t>() = std::int64_t{1} << 53;
  CHECK_FALSE(identical(a, b));
}

TEST_CASE("compare: allclose allows absolute + relative·|b|") {
  const Tensor b = tensor({0, 100, -100}, DType::f64);
  const auto shifted = [](double d) { return tensor({d, 100 + d, -100 - d}, DType::f64); };
  CHECK(allclose(shifted(0.0625), b, 0, 0.0625));
  CHECK_FALSE(allclose(shifted(0.07), b, 0, 0.0625));
  CHECK_FALSE(allclose(shifted(0.5), b, 0.01, 0.25));  // 0 has no room but the absolute one
  CHECK(allclose(tensor({100.5}, DType::f64), tensor({100}, DType::f64), 0.01, 0));
  CHECK_FALSE(allclose(tensor({101.5}, DType::f64), tensor({100}, DType::f64), 0.01, 0));
  // The bound is taken from b: 1 of 10 is a tenth, 1 of 9 is more.
  CHECK(allclose(tensor({9}), tensor({10}), 0.1, 0));
  CHECK_FALSE(allclose(tensor({10}), tensor({9}), 0.1, 0));
}

TEST_CASE("compare: infinities and NaN are close to themselves only") {
  CHECK(allclose(tensor({inf, -inf, nan}), tensor({inf, -inf, nan}), 0, 0));
  CHECK_FALSE(allclose(tensor({inf}), tensor({-inf}), 1, 1));
  CHECK_FALSE(allclose(tensor({inf}), tensor({1}), 1, 1));
  CHECK_FALSE(allclose(tensor({1}), tensor({inf}), 1, 1));
  CHECK_FALSE(allclose(tensor({nan}), tensor({1}), 1, 1));
  CHECK_FALSE(allclose(tensor({1}), tensor({nan}), 1, 1));
}

TEST_CASE("compare: allclose wants the same shape, not the same type") {
  CHECK_FALSE(allclose(zeros({2}), zeros({1, 2})));
  CHECK_FALSE(allclose(zeros({}), zeros({1})));
  CHECK(allclose(ones({2}), ones({2}, DType::i64)));
  CHECK(allclose(zeros({0}), zeros({0})));
}

TEST_CASE("compare: the largest difference") {
  CHECK(largest_difference(tensor({1, 5, -2}), tensor({1.5, 2, -2})) == 3);
  CHECK(largest_difference(tensor({inf, nan}), tensor({inf, nan})) == 0);
  CHECK(largest_difference(tensor({inf}), tensor({-inf})) == inf);
  CHECK(largest_difference(tensor({1}), tensor({nan})) == inf);
  CHECK(largest_difference(zeros({0}), zeros({0})) == 0);
  CHECK_THROWS_AS(largest_difference(zeros({2}), zeros({3})), ShapeError);
}

}  // namespace regard
