#pragma once

#include "tensor/matmul/matrix.h"

namespace regard::matmul_ladder {

// Rung 1: the definition, c(i, j) = Σₖ a(i, k)·b(k, j), as three loops. Every later rung is tested against this one.
// It computes the rows [begin, end) of C, so that a caller can share the rows out.
template <class T>
void naive(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    for (std::int64_t j = 0; j < b.columns; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < a.columns; ++k) sum += a(i, k) * b(k, j);
      c[i * b.columns + j] = sum;
    }
}

}  // namespace regard::matmul_ladder
