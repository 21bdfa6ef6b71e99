#pragma once

#include "tensor/loops/transpose.h"

#include <algorithm>
#include <cstring>

namespace regard::loops {

// A rectangle of elements, as it lies in one tensor: `rows` times `columns`, and how far apart neighbours are.
struct Patch {
  std::int64_t rows, columns, row_step, column_step;

  bool is_dense() const { return (rows == 1 || row_step == columns) && (columns == 1 || column_step == 1); }
  Patch transposed() const { return {columns, rows, column_step, row_step}; }
};

// Copies rows that are contiguous in the source to columns that are contiguous in the target: in squares of n, which
// are turned in registers; what is left on the right and below in squares half as wide, and in the end one by one.
// (Types that are no numbers to the compiler, such as BFloat16, are copied one by one.)
template <class T, int n = std::is_arithmetic_v<T> ? math::lanes<T> : 1>
void copy_across(T* __restrict into, std::int64_t to_step, const T* __restrict from, std::int64_t from_step,
                 std::int64_t rows, std::int64_t columns) {
  if constexpr (n < 4) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) into[i + j * to_step] = from[i * from_step + j];
  } else {
    const std::int64_t square_rows = rows / n * n, square_columns = columns / n * n;
    for (std::int64_t i = 0; i < square_rows; i += n)
      for (std::int64_t j = 0; j < square_columns; j += n)
        transpose_square<T, n>(from + i * from_step + j, from_step, into + i + j * to_step, to_step);
    if (square_columns < columns)
      copy_across<T, n / 2>(into + square_columns * to_step, to_step, from + square_columns, from_step, square_rows,
                            columns - square_columns);
    if (square_rows < rows)
      copy_across<T, n / 2>(into + square_rows, to_step, from + square_rows * from_step, from_step, rows - square_rows,
                            columns);
  }
}

// out[j · out_step] = in[j · in_step]. Where the compiler knows the steps, it makes vector instructions of the loop: so
// the usual ones are written out.
template <class T>
void copy_row(T* __restrict out, std::int64_t out_step, const T* __restrict in, std::int64_t in_step,
              std::int64_t count) {
  if (out_step != 1)
    for (std::int64_t j = 0; j < count; ++j) out[j * out_step] = in[j * in_step];
  else if (in_step == 1)
    std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(T));
  else if (in_step == 0)
    std::fill_n(out, count, *in);
  else if (in_step == 2)
    for (std::int64_t j = 0; j < count; ++j) out[j] = in[2 * j];
  else if (in_step == -1)
    for (std::int64_t j = 0; j < count; ++j) out[j] = in[-j];
  else
    for (std::int64_t j = 0; j < count; ++j) out[j] = in[j * in_step];
}

// Copies a patch from one tensor to another. Rows are taken along the axis on which the source is contiguous, if there
// is one: so all of a cache line is used once it is fetched.
template <class T>
void copy_patch(T* __restrict into, Patch target, const T* __restrict from, Patch source) {
  if (source.row_step == 1 && source.rows > 1 && source.column_step != 0) {
    source = source.transposed();
    target = target.transposed();
  }
  if (source.column_step == 1 && target.column_step != 1 && target.row_step == 1)
    return copy_across(into, target.column_step, from, source.row_step, source.rows, source.columns);
  for (std::int64_t i = 0; i < source.rows; ++i)
    copy_row(into + i * target.row_step, target.column_step, from + i * source.row_step, source.column_step,
             source.columns);
}

}  // namespace regard::loops
