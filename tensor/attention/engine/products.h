#pragma once

#include "tensor/create.h"
#include "tensor/matmul/multiply.h"
#include "tensor/memory/scratch.h"
#include "tensor/view.h"

#include <algorithm>

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

// c = a·b, or c += a·b, where no bit of a row of c depends on how many rows there are. The matrix product itself takes
// another way for a single row, and adds in another order; so that row is computed as two that are the same.
template <class T>
void multiply_rows_alike(const matmul_ladder::Matrix<T>& a, const matmul_ladder::Matrix<T>& b, T* c,
                         std::int64_t c_step, bool accumulate = false) {
  if (a.rows != 1) return matmul_ladder::multiply(a, b, c, c_step, accumulate);
  Scratch<T> both(2 * b.columns);
  for (int row = 0; accumulate && row < 2; ++row) std::copy_n(c, b.columns, both.data() + row * b.columns);
  matmul_ladder::multiply({a.data, 2, a.columns, 0, a.column_step}, b, both.data(), b.columns, accumulate);
  std::copy_n(both.data(), b.columns, c);
}

// A tensor for the results of heads, (B, H, L, D), that lies in memory as (B, L, H, D): joining the heads costs nothing
// then.
inline Tensor empty_beside_heads(const Shape& shape, DType dtype) {
  if (shape.rank() != 4) return empty(shape, dtype);
  return transpose(empty({shape[0], shape[2], shape[1], shape[3]}, dtype), 1, 2);
}

}  // namespace regard::engine
