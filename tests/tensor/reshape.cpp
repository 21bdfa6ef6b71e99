// reshape keeps the row-major order of the elements, whatever the strides are, and copies only where it must.
#include "tensor/create.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <string>

namespace regard {

namespace {

// All shapes of n elements with up to `axes` more axes, and sizes of 1 among them.
void collect_shapes(std::int64_t n, int axes, const Shape& prefix, std::vector<Shape>& shapes) {
  if (n == 1) shapes.push_back(prefix);
  if (axes == 0) return;
  for (std::int64_t size = 1; size <= n; ++size) {
    if (n % size != 0) continue;
    Shape longer = prefix;
    longer.push_back(size);
    collect_shapes(n / size, axes - 1, longer, shapes);
  }
}

std::vector<Shape> shapes_of(std::int64_t n) {
  std::vector<Shape> shapes;
  collect_shapes(n, 4, {}, shapes);
  return shapes;
}

struct Source {
  std::string name;
  Tensor x;
};

// Twelve or twenty-four elements each, seen through strides of every kind.
std::vector<Source> sources() {
  const Tensor block = reshape(arange(24), {2, 3, 4});
  return {
      {"contiguous", block},
      {"transposed", transpose(block)},
      {"outer axes swapped", transpose(block, 0, 1)},
      {"reversed order", permute(block, {2, 1, 0})},
      {"rotated", permute(block, {1, 2, 0})},
      {"every second column", slice(reshape(arange(48), {2, 3, 8}), 2, 0, to_end, 2)},
      {"every second row", slice(reshape(arange(48), {4, 6, 2}), 1, 1, to_end, 2)},
      {"half of each row", slice(reshape(arange(48), {2, 3, 8}), 2, 3, 7)},
      {"flipped inside", flip(block, 2)},
      {"flipped all over", flip(flip(flip(block, 0), 1), 2)},
      {"stretched in front", expand(reshape(arange(6), {1, 2, 3}), {4, 2, 3})},
      {"stretched in the middle", expand(reshape(arange(6), {2, 1, 3}), {2, 4, 3})},
      {"stretched at the end", expand(reshape(arange(6), {2, 3, 1}), {2, 3, 4})},
      {"one number", expand(tensor(5), {2, 3, 4})},
      {"axes of size 1", transpose(reshape(arange(24), {1, 6, 1, 4}), 0, 3)},
  };
}

}  // namespace

TEST_CASE("reshape: the elements stay in row-major order") {
  for (const auto& [name, x] : sources()) {
    const auto expected = to_vector(x);
    for (const Shape& shape : shapes_of(x.numel())) {
      const Tensor y = reshape(x, shape);
      if (y.shape() == shape && to_vector(y) == expected) continue;
      CAPTURE(name, to_string(shape));
      CHECK(y.shape() == shape);
      CHECK(to_vector(y) == expected);
    }
  }
}

TEST_CASE("reshape: a contiguous tensor is never copied") {
  for (const Tensor& x : {arange(24), slice(arange(30), 0, 6), slice(reshape(arange(48), {4, 12}), 0, 1, 3)})
    for (const Shape& shape : shapes_of(24)) CHECK(reshape(x, shape).shares_buffer_with(x));
}

TEST_CASE("reshape: a view where strides exist, a copy where not") {
  const Tensor x = transpose(reshape(arange(24), {4, 6}));  // (6, 4) with strides (1, 6)
  CHECK(reshape(x, {6, 2, 2}).shares_buffer_with(x));
  CHECK(reshape(x, {2, 3, 4}).shares_buffer_with(x));
  CHECK(reshape(x, {3, 2, 1, 2, 2}).shares_buffer_with(x));
  CHECK_FALSE(reshape(x, {24}).shares_buffer_with(x));
  CHECK_FALSE(reshape(x, {4, 6}).shares_buffer_with(x));
  CHECK_FALSE(reshape(x, {3, 8}).shares_buffer_with(x));

  const Tensor every_second = slice(arange(24), 0, 0, to_end, 2);
  CHECK(reshape(every_second, {3, 4}).shares_buffer_with(every_second));
  const Tensor backwards = flip(arange(24), 0);
  CHECK(reshape(backwards, {2, 3, 4}).shares_buffer_with(backwards));
  const Tensor stretched = expand(tensor(1), {2, 3, 4});
  CHECK(reshape(stretched, {24}).shares_buffer_with(stretched));
}

TEST_CASE("reshape: −1 is what is left over") {
  const Tensor x = arange(24);
  CHECK(reshape(x, {2, -1}).shape() == Shape{2, 12});
  CHECK(reshape(x, {-1}).shape() == Shape{24});
  CHECK(reshape(x, {-1, 3, 8}).shape() == Shape{1, 3, 8});
  CHECK(reshape(tensor(1), {-1}).shape() == Shape{1});
  CHECK(reshape(zeros({0, 3}), {-1, 3}).shape() == Shape{0, 3});
  CHECK_THROWS_AS(reshape(x, {-1, -1}), ShapeError);
  CHECK_THROWS_AS(reshape(x, {-2, 12}), ShapeError);
  CHECK_THROWS_AS(reshape(x, {-1, 5}), ShapeError);
  CHECK_THROWS_AS(reshape(zeros({0}), {-1, 0}), ShapeError);  // 0 times anything: no single answer
}

TEST_CASE("reshape: the number of elements must not change") {
  CHECK_THROWS_AS(reshape(arange(6), {7}), ShapeError);
  CHECK_THROWS_AS(reshape(arange(6), {}), ShapeError);
  CHECK_THROWS_AS(reshape(arange(0), {}), ShapeError);
  CHECK(reshape(arange(0), {3, 0, 2}).shape() == Shape{3, 0, 2});
  CHECK(reshape(tensor({{4}}), {}).item() == 4);
}

TEST_CASE("reshape: sizes whose product overflows do not pass for another") {
  const std::int64_t huge = std::int64_t{1} << 32;
  CHECK_THROWS_AS(reshape(arange(0), {huge, huge}), ShapeError);  // 2⁶⁴, which wraps round to 0
  CHECK_THROWS_AS(reshape(arange(0), {huge, huge, -1}), ShapeError);
  CHECK_THROWS_AS(reshape(arange(0), {0, huge, huge}), ShapeError);
}

}  // namespace regard
