#pragma once

#include "tensor/matmul/engine/every_shape.h"
#include "tensor/matmul/engine/matrix_times_column.h"
#include "tensor/matmul/engine/rows_times_matrix.h"

namespace regard::matmul_ladder {

// The tasks of every_shape.h are shared out to all threads. They are rectangles of C and no sum is cut, so the bits of
// the result do not depend on who computes what. Products with a vector, or with a few, have ways of their own. Gain:
// 1.6 on two threads.
template <class T>
void threads(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate) {
  if (is_matrix_times_column(a, b)) return matrix_times_column(a, b, c, c_row_step, accumulate);
  if (is_rows_times_matrix(a, b)) return rows_times_matrix(a, b, c, c_row_step, accumulate);
  const bool is_little = a.rows * b.columns * a.columns <= 2 * work_of_a_task * multiply_adds_of_a_number;
  every_shape(a, b, c, c_row_step, accumulate, is_little);
}

}  // namespace regard::matmul_ladder
