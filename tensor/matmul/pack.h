#pragma once

#include "tensor/kernels/transpose.h"
#include "tensor/matmul/matrix.h"

#include <algorithm>

namespace regard::matmul_ladder {

// Copies a matrix into dense rows, out[i·out_step + j] = m(i, j), along whichever of its axes is contiguous.
template <class T>
void pack(const Matrix<T>& m, T* out, std::int64_t out_step) {
  constexpr int n = kernels::lanes<T>;
  if (m.column_step == 1) {
    for (std::int64_t i = 0; i < m.rows; ++i) std::copy_n(&m(i, 0), m.columns, out + i * out_step);
    return;
  }
  const std::int64_t square_rows = m.row_step == 1 ? m.rows / n * n : 0;
  const std::int64_t square_columns = m.row_step == 1 ? m.columns / n * n : 0;
  for (std::int64_t j = 0; j < square_columns; j += n)
    for (std::int64_t i = 0; i < square_rows; i += n)
      kernels::transpose_square(&m(i, j), m.column_step, out + i * out_step + j, out_step);
  for (std::int64_t i = 0; i < m.rows; ++i)
    for (std::int64_t j = i < square_rows ? square_columns : 0; j < m.columns; ++j) out[i * out_step + j] = m(i, j);
}

}  // namespace regard::matmul_ladder
