#pragma once

#include <cstdint>

namespace regard::matmul_ladder {

// A matrix somewhere in memory, transposed or not: element (i, j) stands at data[i·row_step + j·column_step].
// Every rung of the ladder computes  C = A·B  from two of these into a C whose rows are contiguous, c_row_step apart.
// book: matrix
template <class T>
struct Matrix {
  const T* data;
  std::int64_t rows, columns;
  std::int64_t row_step, column_step;

  const T& operator()(std::int64_t i, std::int64_t j) const { return data[i * row_step + j * column_step]; }
  Matrix block(std::int64_t i, std::int64_t j, std::int64_t block_rows, std::int64_t block_columns) const {
    return {data + i * row_step + j * column_step, block_rows, block_columns, row_step, column_step};
  }
  Matrix transposed() const { return {data, columns, rows, column_step, row_step}; }
  bool fits(std::int64_t bytes) const { return rows * columns <= bytes / static_cast<std::int64_t>(sizeof(T)); }
};
// book: /matrix

}  // namespace regard::matmul_ladder
