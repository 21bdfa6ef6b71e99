#pragma once

#include "tensor/loops/map.h"

#include <algorithm>
#include <optional>

namespace regard::loops {

// gather and scatter_add for an index that is the same along all other axes, as index_select makes it: then whole
// slices move. Seen as (outer, size of the axis, inner), the `inner` elements of a slice lie together in memory, and
// are not visited one by one, each a slice away from the last.

// Such an index as a 1-d one.
inline std::optional<Tensor> slice_index(const Tensor& index, int axis) {
  if (axis == index.rank() - 1 || index.numel() == 0) return std::nullopt;
  Shape line = Shape::filled(index.rank(), 1);
  line[axis] = index.shape()[axis];
  for (int i = 0; i < index.rank(); ++i)
    if (i != axis && index.shape()[i] > 1 && index.strides()[i] != 0) return std::nullopt;
  return contiguous(index.view({line[axis]}, {index.strides()[axis]}, index.offset()));
}

struct Slices {
  std::int64_t outer = 1, size, inner = 1;

  Slices(const Shape& shape, int axis) : size(shape[axis]) {
    for (int i = 0; i < axis; ++i) outer *= shape[i];
    for (int i = axis + 1; i < shape.rank(); ++i) inner *= shape[i];
  }
};

// y[o, j, :] = x[o, index[j], :], for contiguous x.
template <class T>
void gather_slices(T* y, const T* x, Slices slices, const std::int64_t* index, std::int64_t count) {
  parallel_for(slices.outer * count, items_of_a_task(slices.inner), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const T* from = x + (row / count * slices.size + index[row % count]) * slices.inner;
      std::copy(from, from + slices.inner, y + row * slices.inner);
    }
  });
}

// y[o, index[j], :] += source[o, j, :], in the order of j. A task has a few columns for itself, so that no two write to
// one element.
template <class T>
void scatter_add_slices(T* y, const T* source, Slices slices, const std::int64_t* index, std::int64_t count) {
  constexpr std::int64_t columns = 64;
  const std::int64_t blocks = (slices.inner + columns - 1) / columns;
  parallel_for(slices.outer * blocks, items_of_a_task(columns * count), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t o = task / blocks, first = task % blocks * columns;
      const std::int64_t width = std::min(columns, slices.inner - first);
      for (std::int64_t j = 0; j < count; ++j) {
        T* into = y + (o * slices.size + index[j]) * slices.inner + first;
        const T* addends = source + (o * count + j) * slices.inner + first;
        for (std::int64_t c = 0; c < width; ++c) into[c] += addends[c];
      }
    }
  });
}

}  // namespace regard::loops
