#pragma once

#include "tensor/matmul/matrix.h"

namespace regard::matmul_ladder {

// Rung 1: the definition, c(i, j) = Σₖ a(i, k)·b(k, j), as three loops. Every later rung is tested against this one.
// Gains are those of 512 × 512 × 512 in f32 with AVX-512 on one thread, medians: here 1.3 GFLOP/s.
// book: naive
template <class T>
void naive(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < b.columns; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < a.columns; ++k) sum += a(i, k) * b(k, j);
      c[i * c_row_step + j] = sum;
    }
}
// book: /naive

}  // namespace regard::matmul_ladder
