// The tensor itself: its elements, its buffer, its conversions.
#include "tensor/tensor.h"

#include "tensor/create.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <cmath>

namespace regard {
using Values = std::vector<double>;

TEST_CASE("tensor: no value yet") {
  const Tensor nothing;
  CHECK_FALSE(nothing.defined());
  CHECK(tensor(1).defined());
}

TEST_CASE("tensor: one element by index, also from the end") {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(x.at({0, 0}) == 1);
  CHECK(x.at({1, 2}) == 6);
  CHECK(x.at({-1, -3}) == 4);
  CHECK(transpose(x).at({2, 1}) == 6);
  CHECK(transpose(x).at({0, 1}) == 4);
  CHECK(tensor(7).at({}) == 7);
}

TEST_CASE("tensor: item is the value of one element, whatever the rank") {
  CHECK(tensor(2.5).item() == 2.5);
  CHECK(tensor({{{-3}}}, DType::i64).item() == -3);
  CHECK(select(arange(5), 0, 3).item() == 3);
  CHECK_THROWS_AS(arange(2).item(), ShapeError);
  CHECK_THROWS_AS(arange(0).item(), ShapeError);
}

TEST_CASE("tensor: size of an axis") {
  const Tensor x = zeros({2, 3});
  CHECK(x.size(0) == 2);
  CHECK(x.size(-1) == 3);
  CHECK(x.numel() == 6);
  CHECK_THROWS_AS(x.size(2), ShapeError);
}

TEST_CASE("tensor: contiguous means row-major without gaps") {
  const Tensor x = zeros({4, 6});
  CHECK(x.is_contiguous());
  CHECK(slice(x, 0, 1, 3).is_contiguous());
  CHECK_FALSE(transpose(x).is_contiguous());
  CHECK_FALSE(slice(x, 1, 0, 5).is_contiguous());
  CHECK_FALSE(slice(x, 0, 0, 4, 2).is_contiguous());
  CHECK_FALSE(flip(x, 0).is_contiguous());
  CHECK_FALSE(expand(zeros({1, 3}), {2, 3}).is_contiguous());
  CHECK(transpose(zeros({1, 6})).is_contiguous());  // the stride of an axis of size 1 does not matter
  CHECK(zeros({2, 0, 3}).is_contiguous());
}

TEST_CASE("tensor: contiguous copies only where it must, in row-major order") {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(contiguous(x).shares_buffer_with(x));
  const Tensor packed = contiguous(transpose(x));
  CHECK(packed.is_contiguous());
  CHECK_FALSE(packed.shares_buffer_with(x));
  CHECK(packed.shape() == Shape{3, 2});
  CHECK(std::vector<float>(packed.data<float>(), packed.data<float>() + 6) == std::vector<float>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("tensor: data begins at the first element of a view") {
  const Tensor x = slice(arange(10), 0, 4);
  CHECK(x.data<std::int64_t>()[0] == 4);
  CHECK_THROWS_AS(x.data<float>(), DTypeError);
}

TEST_CASE("tensor: conversions between the three types") {
  const Tensor x = tensor({-2.75, -0.5, 0, 0.5, 2.75}, DType::f64);
  CHECK(to_vector(to(x, DType::i64)) == Values{-2, 0, 0, 0, 2});  // towards zero
  CHECK(to_vector(to(x, DType::f32)) == Values{-2.75, -0.5, 0, 0.5, 2.75});
  CHECK(to(x, DType::f64).shares_buffer_with(x));
  CHECK(to(tensor(0.1, DType::f64), DType::f32).item() == double{0.1f});
  CHECK(to(tensor(1e300, DType::f64), DType::f32).item() == INFINITY);
  CHECK(std::isnan(to(tensor(NAN), DType::f64).item()));
  CHECK(to_vector(to(transpose(tensor({{1, 2}, {3, 4}}, DType::i64)), DType::f32)) == Values{1, 3, 2, 4});
}

TEST_CASE("tensor: i64 keeps all 64 bits in the buffer") {
  Tensor x = empty({2}, DType::i64);
  x.writable<std::int64_t>()[0] = INT64_MAX;
  x.writable<std::int64_t>()[1] = INT64_MIN;
  const Tensor reversed = contiguous(flip(x, 0));
  CHECK(reversed.data<std::int64_t>()[0] == INT64_MIN);
  CHECK(reversed.data<std::int64_t>()[1] == INT64_MAX);
}

TEST_CASE("tensor: copies are handles to one buffer") {
  const Tensor x = ones({3});
  const Tensor y = x;  // NOLINT: the copy is the point
  CHECK(y.shares_buffer_with(x));
  CHECK_FALSE(ones({3}).shares_buffer_with(x));
}

TEST_CASE("tensor: sizes that cannot be are refused") {
  CHECK_THROWS_AS(zeros({2, -1}), ShapeError);
  CHECK_THROWS_AS(zeros({std::int64_t{1} << 32, std::int64_t{1} << 32}), ShapeError);
  CHECK_THROWS_AS(zeros({std::int64_t{1} << 62}), ShapeError);
  // No elements, but strides that would not fit into 64 bits.
  CHECK_THROWS_AS(zeros({0, std::int64_t{1} << 62, 4}), ShapeError);
}

}  // namespace regard
