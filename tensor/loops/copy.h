#pragma once

#include "tensor/loops/map.h"

#include <cstring>

namespace regard::loops {

// Writes the elements of `source` into `target`, a view of memory that nobody else holds. Same shape, same dtype.
inline void copy_into(Tensor target, const Tensor& source) {
  if (target.shape() != source.shape())
    fail<ShapeError>("copy: {} does not fit into {}", source.shape(), target.shape());
  run_dense(target, {&source}, [&](void* out, const void* const* in, std::int64_t count) {
    std::memcpy(out, in[0], static_cast<std::size_t>(count) * size_of(source.dtype()));
  });
}

}  // namespace regard::loops
