#pragma once

#include "tensor/tensor.h"

#include <algorithm>
#include <array>

namespace regard::loops {

// Walks N operands in step over one common shape, as rows: straight runs in which each operand advances by a fixed
// stride. Axes that lie evenly behind one another in every operand are merged first, so that a contiguous tensor of
// any rank is one long row. A stride of 0 repeats an element: that is all there is to broadcasting.
template <std::size_t N>
class Walk {
 public:
  using Offsets = std::array<std::int64_t, N>;

  Walk(const Shape& shape, const std::array<Strides, N>& strides) {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis] == 1) continue;
      Offsets step;
      for (std::size_t n = 0; n < N; ++n) step[n] = strides[n][axis];
      if (rank_ > 0 && continues(step, shape[axis])) {
        sizes_[rank_ - 1] *= shape[axis];
        steps_[rank_ - 1] = step;
      } else {
        sizes_[rank_] = shape[axis];
        steps_[rank_++] = step;
      }
    }
    if (rank_ == 0) sizes_[rank_++] = 1;
  }

  // The axes that are left after merging, and the last of them.
  int rank() const { return rank_; }
  std::int64_t size(int axis) const { return sizes_[axis]; }
  const Offsets& steps(int axis) const { return steps_[axis]; }
  std::int64_t row_length() const { return sizes_[rank_ - 1]; }
  const Offsets& row_steps() const { return steps_[rank_ - 1]; }

  // Calls row(position, offsets, count) for the elements [begin, end), counted in row-major order: `count` elements
  // from `position` on, of which operand n has the first at offsets[n].
  template <class Row>
  void run(std::int64_t begin, std::int64_t end, Row&& row) const {
    if (begin >= end) return;
    std::array<std::int64_t, Shape::max_rank> index{};
    Offsets offsets{};
    std::int64_t rest = begin;
    for (int axis = rank_ - 1; axis >= 0; --axis) {
      index[axis] = rest % sizes_[axis];
      rest /= sizes_[axis];
      for (std::size_t n = 0; n < N; ++n) offsets[n] += index[axis] * steps_[axis][n];
    }
    const int last = rank_ - 1;
    for (std::int64_t position = begin; position < end;) {
      const std::int64_t count = std::min(sizes_[last] - index[last], end - position);
      row(position, offsets, count);
      position += count;
      index[last] += count;
      for (std::size_t n = 0; n < N; ++n) offsets[n] += count * steps_[last][n];
      for (int axis = last; axis > 0 && index[axis] == sizes_[axis]; --axis) {
        for (std::size_t n = 0; n < N; ++n) offsets[n] += steps_[axis - 1][n] - sizes_[axis] * steps_[axis][n];
        index[axis] = 0;
        ++index[axis - 1];
      }
    }
  }

 private:
  // Does an axis of this size and step go on where the axis before it, seen from the inside, leaves off?
  bool continues(const Offsets& step, std::int64_t size) const {
    for (std::size_t n = 0; n < N; ++n)
      if (steps_[rank_ - 1][n] != step[n] * size) return false;
    return true;
  }

  std::array<std::int64_t, Shape::max_rank> sizes_{};
  std::array<Offsets, Shape::max_rank> steps_{};
  int rank_ = 0;
};

// The strides with which x is read as if it had `shape`: 0 along the axes that are stretched.
inline Strides broadcast_strides(const Tensor& x, const Shape& shape) {
  Strides strides = Strides::filled(shape.rank(), 0);
  for (int from_end = 1; from_end <= x.rank(); ++from_end)
    if (x.shape().back(from_end) != 1) strides[shape.rank() - from_end] = x.strides().back(from_end);
  return strides;
}

}  // namespace regard::loops
