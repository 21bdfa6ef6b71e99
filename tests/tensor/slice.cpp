// slice against Python's own rules, followed step by step.
#include "tensor/create.h"
#include "tensor/loops/patch.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/view.h"
#include "tensor/view_shapes.h"
#include "tests/catch.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace regard {

namespace {

// What range(size)[begin:end:step] holds in Python, for step > 0: an index counts from the end if it is negative, and
// positions outside are left out.
std::vector<double> python_slice(std::int64_t size, std::int64_t begin, std::int64_t end, std::int64_t step) {
  if (begin < 0) begin += size;
  if (end < 0) end += size;
  if (begin < 0) begin = 0;
  std::vector<double> picked;
  for (std::int64_t i = begin; i < end && i < size; i += step) picked.push_back(static_cast<double>(i));
  return picked;
}

}  // namespace

TEST_CASE("slice: every begin, end and step of small axes") {
  for (std::int64_t size : {0, 1, 2, 5, 7}) {
    const Tensor x = arange(size);
    for (std::int64_t begin = -size - 2; begin <= size + 2; ++begin)
      for (std::int64_t end = -size - 2; end <= size + 2; ++end)
        for (std::int64_t step : {1, 2, 3, 10}) {
          const Tensor y = slice(x, 0, begin, end, step);
          const auto expected = python_slice(size, begin, end, step);
          if (to_vector(y) == expected && y.shares_buffer_with(x)) continue;
          CAPTURE(size, begin, end, step);
          CHECK(to_vector(y) == expected);
          CHECK(y.shares_buffer_with(x));
        }
  }
}

TEST_CASE("slice: the default end is the end, and far ends are cut off") {
  const Tensor x = arange(5);
  CHECK(to_vector(slice(x, 0, 2)) == std::vector<double>{2, 3, 4});
  CHECK(to_vector(slice(x, 0, -2)) == std::vector<double>{3, 4});
  CHECK(to_vector(slice(x, 0, 0, to_end, 2)) == std::vector<double>{0, 2, 4});
  CHECK(to_vector(slice(x, 0, INT64_MIN, to_end, INT64_MAX)) == std::vector<double>{0});
  CHECK(slice(x, 0, to_end).numel() == 0);
}

TEST_CASE("slice: one axis of several, the others stay") {
  const Tensor x = reshape(arange(24), {2, 3, 4});
  const Tensor y = slice(x, -2, 0, 3, 2);
  CHECK(y.shape() == Shape{2, 2, 4});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 4; ++k) CHECK(y.at({i, j, k}) == 12 * i + 8 * j + k);
}

TEST_CASE("slice: a slice of a slice") {
  const Tensor x = slice(slice(arange(20), 0, 3, 18, 2), 0, 1, -1, 3);  // 3, 5, …, 17, of these 5, 11
  CHECK(to_vector(x) == std::vector<double>{5, 11});
}

TEST_CASE("slice_range: where the slice starts, and how long it is") {
  const SliceRange range = slice_range({10}, 0, -7, 100, 3);  // 3, 6, 9
  CHECK(range.begin == 3);
  CHECK(range.count == 3);
  CHECK(range.step == 3);
  CHECK(slice_range({10}, 0, 5, 2, 1).count == 0);
}

TEST_CASE("slice: steps must be positive") {
  CHECK_THROWS_AS(slice(arange(3), 0, 0, 3, 0), ValueError);
  CHECK_THROWS_AS(slice(arange(3), 0, 3, 0, -1), ValueError);
}

TEST_CASE("slice: long rows of numbers that lie apart, as operands and as targets") {
  for (const std::int64_t length : {511, 512, 640, 1023, 1025, 2500})
    for (const auto& [step, rest] :  // without a rest the rows follow one another as if they were one
         {std::pair{2, 0}, {2, 1}, {3, 0}, {3, 1}})
      for (const DType dtype : {DType::f32, DType::f64, DType::i64}) {
        CAPTURE(length, step, rest, dtype);
        const std::int64_t rows = 3, width = length * step + rest, first = step - 1;
        const Tensor whole = reshape(arange(0, static_cast<double>(rows * width), 1, dtype), {rows, width});
        const Tensor part = slice(whole, 1, first, first + (length - 1) * step + 1, step);
        const Tensor sums = part + part, placed = place(part, {rows, width}, 1, first, step),
                     mirrored = whole + flip(whole, 1);
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t j = 0; j < length; ++j)
            wrong += sums.at({i, j}) != static_cast<double>(2 * (i * width + first + j * step));
          for (std::int64_t j = 0; j < width; ++j) {
            const bool is_placed = j % step == first && j / step < length;
            wrong += placed.at({i, j}) != (is_placed ? static_cast<double>(i * width + j) : 0);
            wrong += mirrored.at({i, j}) != static_cast<double>((2 * i + 1) * width - 1);
          }
        }
        CHECK(wrong == 0);
      }
}

// Memory of exactly the right size, so that an address sanitizer sees what is read behind its end.
TEMPLATE_TEST_CASE("slice: copying every second number touches nothing behind the last one", "", float, double) {
  for (std::size_t count = 1; count < 70; ++count) {
    std::vector<TestType> in(2 * count - 1), out(count + 64, -1);
    std::iota(in.begin(), in.end(), TestType{});
    const auto columns = static_cast<std::int64_t>(count);
    loops::copy_patch(out.data(), {1, columns, columns, 1}, in.data(), {1, columns, 0, 2});
    std::size_t wrong = 0;
    for (std::size_t j = 0; j < count; ++j) wrong += out[j] != static_cast<TestType>(2 * j);
    CHECK(wrong == 0);
    CHECK(std::count(out.begin(), out.end(), -1) == 64);
  }
}

TEST_CASE("slice: several axes, one after another") {
  const Tensor x = reshape(arange(24), {2, 3, 4});
  CHECK(to_vector(slice(slice(x, 0, 1), 2, 0, to_end, 3)) == std::vector<double>{12, 15, 16, 19, 20, 23});
}

}  // namespace regard
