#pragma once

#include "tensor/matmul/6_every_shape.h"

namespace regard::matmul_ladder {

// Products of a single row a with B. Every number of B is used once, so there is nothing to pack: it is a matter of
// reading B as fast as memory gives it. But a row must give the same whether it stands alone or among others. So sums
// are made as the tile product makes them: k by k, in blocks of the same depth, which are added up.

// sums(j) = Σₖ x(k)·b(k, j), one by one: for what does not fill a vector.
template <class T>
void few_sums(const T* x, const Matrix<T>& b, T* sums) {
  std::fill_n(sums, b.columns, T{0});
  for (std::int64_t k = 0; k < b.rows; ++k)
    for (std::int64_t j = 0; j < b.columns; ++j) sums[j] += x[k] * b(k, j);
}

// The same for V vectors of columns, where the rows of B are contiguous.
template <class T, int V>
void sums_along_rows(const T* x, const Matrix<T>& b, T* sums) {
  Vector<T> sum[1][V] = {};
  for (std::int64_t k = 0; k < b.rows; ++k) add_step<1>(sum, x + k, 0, &b(k, 0));
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) store(sums + v * lanes<T>, sum[0][v]);
}

// The same for one vector of columns, where the columns of B are contiguous, and at least one vector long: squares of B
// are turned in registers. The last one reaches back to rows that have been before, and passes over them. So many
// columns at once are more streams than the processor follows by itself: memory is asked for the next columns.
template <class T>
void sums_along_columns(const T* x, const Matrix<T>& b, T* sums) {
  constexpr int n = lanes<T>;
  const auto square = [&](std::int64_t k, Vector<T> * rows) __attribute__((always_inline)) {
#pragma GCC unroll 16
    for (int j = 0; j < n; ++j) {
      rows[j] = load(&b(k, j));
      __builtin_prefetch(&b(k, j + n));
    }
    loops::transpose_registers<T>(rows);
  };
  Vector<T> sum = {}, rows[n];
  std::int64_t k = 0;
  for (; k + n <= b.rows; k += n) {
    square(k, rows);
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) sum += x[k + i] * rows[i];
  }
  if (k < b.rows) {
    square(b.rows - n, rows);
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i)
      if (b.rows - n + i >= k) sum += x[b.rows - n + i] * rows[i];
  }
  store(sums, sum);
}

// The same for any number of columns. The last vector of columns reaches back, too, where there are enough.
template <class T>
void sums_of_block(const T* x, const Matrix<T>& b, T* sums) {
  constexpr std::int64_t n = lanes<T>;
  const bool along_rows = b.column_step == 1;
  std::int64_t j = 0;
  const auto take = [&](std::int64_t count, const auto& sums_of) {
    for (; j + count <= b.columns; j += count) sums_of(x, b.block(0, j, b.rows, count), sums + j);
  };
  if (!along_rows && b.rows < n) return few_sums(x, b, sums);
  if (along_rows) take(8 * n, sums_along_rows<T, 8>);
  take(n, along_rows ? sums_along_rows<T, 1> : sums_along_columns<T>);
  if (j == b.columns) return;
  if (b.columns < n) return few_sums(x, b, sums);
  j = b.columns - n;
  take(n, along_rows ? sums_along_rows<T, 1> : sums_along_columns<T>);
}

template <class T>
bool is_row_times_matrix(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows == 1 && a.columns > 0 && b.columns > 0 && (b.row_step == 1 || b.column_step == 1);
}

// c = a·b, or c += a·b, for a single row a.
template <class T, class ForEach>
void row_times_matrix(const Matrix<T>& a, const Matrix<T>& b, T* c, bool accumulate, const ForEach& for_each) {
  constexpr std::int64_t width = 256;
  const std::int64_t depth = block_length(a.columns, 512, 1), strips = (b.columns + width - 1) / width;
  Scratch<T> row(a.column_step == 1 ? 0 : a.columns);
  const T* x = a.data;
  if (a.column_step != 1) {
    pack(a, row.data(), a.columns);
    x = row.data();
  }
  const std::int64_t work = b.rows * std::min(b.columns, width);
  for_each(strips, std::max<std::int64_t>(1, work_of_a_task / (8 * work)), [&](std::int64_t begin, std::int64_t end) {
    T sums[width];
    for (std::int64_t j = begin * width; j < std::min(end * width, b.columns); j += width) {
      const std::int64_t columns = std::min(width, b.columns - j);
      for (std::int64_t k = 0; k < b.rows; k += depth) {
        sums_of_block(x + k, b.block(k, j, std::min(depth, b.rows - k), columns), sums);
        const bool add = accumulate || k > 0;
        for (std::int64_t i = 0; i < columns; ++i) c[j + i] = add ? c[j + i] + sums[i] : sums[i];
      }
    }
  });
}

}  // namespace regard::matmul_ladder
