#pragma once

#include "tensor/loops/patch.h"
#include "tensor/loops/walk.h"

namespace regard::loops {

// A walk cut into patches: rectangles whose columns lie along the last axis and whose rows along one other axis. Along
// all axes that are left a patch is one element thick.
//
// The rows are taken along an axis on which one of the tensors is contiguous, if that is not the last axis: so such a
// tensor (a transposed one, say) is read in stretches of memory, and not in single numbers far apart.
template <std::size_t N>
class Patches {
 public:
  static constexpr std::int64_t tall = 4 * cache_line_bytes, wide = 128;  // see README.md
  static constexpr std::int64_t most_bytes = tall * wide;                 // 32 KiB: what the nearest cache holds

  // One of the patches: where it begins in each tensor, and its size, which is smaller at the edges.
  struct Piece {
    std::array<std::int64_t, N> offsets{};
    std::int64_t rows = 1, columns = 1;
  };

  Patches(const Walk<N>& walk, std::int64_t element_bytes) : walk_(walk), row_axis_(walk.rank() - 2) {
    constexpr std::int64_t elements = 1024;
    const int columns = walk.rank() - 1, across = axis_across(walk);
    if (across >= 0) row_axis_ = across;
    extents_.fill(1);
    extents_[columns] = std::min(walk.size(columns), across >= 0 ? wide : elements);
    if (row_axis_ >= 0)
      extents_[row_axis_] =
          std::min(walk.size(row_axis_), across >= 0 ? tall / element_bytes : elements / extents_[columns]);
  }

  std::int64_t count() const {
    std::int64_t count = 1;
    for (int axis = 0; axis < walk_.rank(); ++axis) count *= count_along(axis);
    return count;
  }

  std::int64_t elements_of_a_patch() const {
    return extents_[walk_.rank() - 1] * (row_axis_ >= 0 ? extents_[row_axis_] : 1);
  }

  // The patches are numbered like the elements of a tensor, the last axis fastest.
  Piece piece(std::int64_t number) const {
    Piece piece;
    for (int axis = walk_.rank() - 1; axis >= 0; --axis) {
      const std::int64_t first = number % count_along(axis) * extents_[axis];
      number /= count_along(axis);
      for (std::size_t n = 0; n < N; ++n) piece.offsets[n] += first * walk_.steps(axis)[n];
      const std::int64_t extent = std::min(extents_[axis], walk_.size(axis) - first);
      if (axis == walk_.rank() - 1) piece.columns = extent;
      if (axis == row_axis_) piece.rows = extent;
    }
    return piece;
  }

  // How a piece lies in tensor n.
  Patch patch(const Piece& piece, std::size_t n) const {
    return {piece.rows, piece.columns, row_axis_ >= 0 ? walk_.steps(row_axis_)[n] : 0, walk_.row_steps()[n]};
  }

 private:
  // An axis on which some tensor is contiguous while it takes longer steps along the last one; −1 if there is none.
  static int axis_across(const Walk<N>& walk) {
    for (int axis = walk.rank() - 2; axis >= 0; --axis)
      for (std::size_t n = 0; n < N; ++n)
        if (walk.steps(axis)[n] == 1 && walk.row_steps()[n] != 0) return axis;
    return -1;
  }

  std::int64_t count_along(int axis) const { return (walk_.size(axis) + extents_[axis] - 1) / extents_[axis]; }

  Walk<N> walk_;
  int row_axis_;  // −1: the walk has one axis, and patches have one row
  std::array<std::int64_t, Shape::max_rank> extents_;
};

}  // namespace regard::loops
