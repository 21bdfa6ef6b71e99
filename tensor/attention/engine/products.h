#pragma once

#include "tensor/attention/engine/problem.h"
#include "tensor/math/bits.h"
#include "tensor/matmul/multiply.h"
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

// sums(i) = Σ_c a(i, c)·b(i, c), added up in the order in which the matrix product adds. Where one weight is all but 1
// the output is the value of that key, and g·v − g·o is 0 only if both products round alike. A sum waits for each of
// its additions, so several rows go side by side.
template <class T>
void sums_of_products(const MatrixRows<T>& a, const MatrixRows<T>& b, std::int64_t rows, std::int64_t count, T* sums) {
  constexpr std::int64_t together = 8;
  for (std::int64_t i = 0; i < rows; i += together) {
    T sum[together] = {};
    for (std::int64_t c = 0; c < count; ++c)
#pragma GCC unroll 8
      for (std::int64_t r = 0; r < together; ++r) {
        const std::int64_t row = std::min(i + r, rows - 1);
        sum[r] = math::fused(a.data[row * a.step + c], b.data[row * b.step + c], sum[r]);
      }
    std::copy_n(sum, std::min(together, rows - i), sums + i);
  }
}

// A tensor for the results of heads, (B, H, L, D), that lies in memory as (B, L, H, D): joining the heads costs nothing
// then.
inline Tensor empty_beside_heads(const Shape& shape, DType dtype) {
  if (shape.rank() != 4) return empty(shape, dtype);
  return transpose(empty({shape[0], shape[2], shape[1], shape[3]}, dtype), 1, 2);
}

}  // namespace regard::engine
