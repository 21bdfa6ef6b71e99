#pragma once

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"

namespace regard::nn {

// How far each key lies ahead of each query: j − (i + offset), (Lq, Lk).
inline Tensor distances_ahead(std::int64_t queries, std::int64_t keys, std::int64_t offset, DType dtype) {
  return arange(keys, dtype) - unsqueeze(arange(queries, dtype) + static_cast<double>(offset), 1);
}

}  // namespace regard::nn
