#include "tensor/shape.h"

#include <algorithm>

namespace regard {

Shape::Shape(std::initializer_list<std::int64_t> sizes) {
  for (auto size : sizes) push_back(size);
}

Shape::Shape(const std::vector<std::int64_t>& sizes) {
  for (auto size : sizes) push_back(size);
}

Shape Shape::filled(int rank, std::int64_t value) {
  Shape shape;
  for (int i = 0; i < rank; ++i) shape.push_back(value);
  return shape;
}

void Shape::fail_full() const {
  fail<ShapeError>("shape: {} has {} axes already, the most a tensor can have", *this, max_rank);
}

void Shape::insert(int position, std::int64_t size) {
  if (rank_ == max_rank) fail_full();
  std::copy_backward(sizes_.begin() + position, sizes_.begin() + rank_, sizes_.begin() + rank_ + 1);
  sizes_[position] = size;
  ++rank_;
}

Shape Shape::with(int axis, std::int64_t size) const {
  Shape shape = *this;
  shape[axis < 0 ? axis + rank_ : axis] = size;
  return shape;
}

Shape Shape::without(int axis) const {
  Shape shape;
  for (int i = 0; i < rank_; ++i)
    if (i != axis && i != axis + rank_) shape.push_back(sizes_[i]);
  return shape;
}

void require_possible(const Shape& shape) {
  std::int64_t count = 1;  // with each 0 taken as 1, as strides are
  for (std::int64_t size : shape) {
    if (size < 0) fail<ShapeError>("shape: {} has a negative size", shape);
    if (__builtin_mul_overflow(count, std::max<std::int64_t>(size, 1), &count) || count > INT64_MAX / 16)
      fail<ShapeError>("shape: {} has more elements than memory can hold", shape);
  }
}

Strides contiguous_strides(const Shape& shape) {
  Strides strides = shape;
  std::int64_t step = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    strides[i] = step;
    step *= std::max<std::int64_t>(shape[i], 1);
  }
  return strides;
}

int axis_of(const char* operation, int axis, const Shape& shape) {
  const int rank = shape.rank();
  if (rank == 0) fail<ShapeError>("{}: axis {} of a tensor of shape (), which has no axes", operation, axis);
  if (axis < -rank || axis >= rank)
    fail<ShapeError>("{}: axis {} of {} is outside [{}, {}]", operation, axis, shape, -rank, rank - 1);
  return axis < 0 ? axis + rank : axis;
}

Shape broadcast(const char* operation, const Shape& a, const Shape& b) {
  if (a == b) return a;
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  Shape result = longer;
  for (int from_end = 1; from_end <= std::min(a.rank(), b.rank()); ++from_end) {
    const auto x = a.back(from_end), y = b.back(from_end);
    if (x != y && x != 1 && y != 1)
      fail<ShapeError>("{}: {} and {} do not broadcast: {} and {} differ on axis {}, and neither is 1", operation, a, b,
                       x, y, -from_end);
    result[result.rank() - from_end] = x == 1 ? y : x;
  }
  return result;
}

std::string to_string(const Shape& shape) { return "(" + comma_separated(shape) + ")"; }

std::string index_of(const Shape& shape, std::int64_t element) {
  if (shape.rank() == 0) return "";
  Shape index = shape;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return "[" + comma_separated(index) + "]";
}

}  // namespace regard
