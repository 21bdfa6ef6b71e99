#pragma once

#include "tensor/shape.h"

namespace regard {

// Shapes that a view has to work out first: views of Tensors and of Variables share these functions.

// How (2, 3) becomes (2, 3n) along axis 1: `beside` is (2, 3, n), a new axis for the copies, and `joined` is (2, 3n).
struct Interleaving {
  int axis;
  Shape beside, joined;
};
Interleaving interleaving(const Shape& shape, std::int64_t count, int axis);

// The position a slice starts at and how many elements it has, after Python's rules.
struct SliceRange {
  std::int64_t begin, count, step;
};
SliceRange slice_range(const Shape& shape, int axis, std::int64_t begin, std::int64_t end, std::int64_t step);

}  // namespace regard
