#pragma once

#include "tensor/tensor.h"

namespace regard::engine {

// The axes in front of (…, Lq, Lk), counted as one: matrix 0, 1, … of scores, in row-major order.
struct Matrices {
  Shape scores;  // (…, Lq, Lk)

  std::int64_t count() const { return scores.without(-1).without(-1).numel(); }
  std::int64_t heads() const { return scores.rank() >= 4 ? scores.back(3) : 1; }
  std::int64_t sequence_of(std::int64_t matrix) const { return scores.rank() > 2 ? matrix / (count() / scores[0]) : 0; }

  // Where a matrix begins in a tensor with these strides along the axes in front. `sharing` heads share each matrix.
  std::int64_t offset(const Strides& strides, std::int64_t matrix, std::int64_t sharing = 1) const {
    std::int64_t offset = 0;
    for (int axis = scores.rank() - 3; axis >= 0; --axis) {
      const std::int64_t index = matrix % scores[axis];
      offset += (axis == scores.rank() - 3 ? index / sharing : index) * strides[axis];
      matrix /= scores[axis];
    }
    return offset;
  }
};

}  // namespace regard::engine
