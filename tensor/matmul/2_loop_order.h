#pragma once

#include "tensor/matmul/matrix.h"

#include <algorithm>

namespace regard::matmul_ladder {

// y(j) += x·row(j). Where the row is contiguous the compiler does this for a whole vector register of j at a time.
template <class T>
void add_multiple(T* y, T x, const T* row, std::int64_t step, std::int64_t count) {
  if (step == 1) {
    for (std::int64_t j = 0; j < count; ++j) y[j] += x * row[j];
  } else {
    for (std::int64_t j = 0; j < count; ++j) y[j] += x * row[j * step];
  }
}

// Rung 2: the same three loops with j innermost. The naive order walks down a column of B, and each step of it lands on
// another cache line; this one walks along a row of B and a row of C. Gain: 15 (19 GFLOP/s). Where B is transposed it
// is the naive order that walks along rows, and this one loses a fifth.
// book: loop_order
template <class T>
void loop_order(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate = false) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    T* row = c + i * c_row_step;
    if (!accumulate) std::fill_n(row, b.columns, T{0});
    for (std::int64_t k = 0; k < a.columns; ++k) add_multiple(row, a(i, k), &b(k, 0), b.column_step, b.columns);
  }
}
// book: /loop_order

}  // namespace regard::matmul_ladder
