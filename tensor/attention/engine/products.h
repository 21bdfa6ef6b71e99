#pragma once

#include "tensor/create.h"
#include "tensor/matmul/multiply.h"
#include "tensor/view.h"

namespace regard::engine {

// c += weights·x without the pairs that have a weight of 0, one by one: for an x with NaN behind a mask, since 0·NaN is
// NaN. Slow, and rarely needed.
template <class T>
void add_without_zeros(const matmul_ladder::Matrix<T>& weights, const matmul_ladder::Matrix<T>& x, T* c,
                       std::int64_t row_step, std::int64_t column_step) {
  for (std::int64_t i = 0; i < weights.rows; ++i)
    for (std::int64_t j = 0; j < weights.columns; ++j)
      for (std::int64_t n = 0; n < x.columns && weights(i, j) != 0; ++n)
        c[i * row_step + n * column_step] += weights(i, j) * x(j, n);
}

// A tensor for the results of heads, (B, H, L, D), that lies in memory as (B, L, H, D): joining the heads costs nothing
// then.
inline Tensor empty_beside_heads(const Shape& shape, DType dtype) {
  if (shape.rank() != 4) return empty(shape, dtype);
  return transpose(empty({shape[0], shape[2], shape[1], shape[3]}, dtype), 1, 2);
}

}  // namespace regard::engine
