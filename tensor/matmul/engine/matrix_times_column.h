#pragma once

#include "tensor/matmul/2_loop_order.h"
#include "tensor/matmul/engine/every_shape.h"

namespace regard::matmul_ladder {

// Σᵢ x(i)·y(i), in as many sums at once as it takes to keep the multipliers busy.
template <class T>
T dot(const T* x, const T* y, std::int64_t count) {
  constexpr int n = lanes<T>, sums = 4;
  Vector<T> sum[sums] = {};
  std::int64_t i = 0;
  for (; i + sums * n <= count; i += sums * n)
#pragma GCC unroll 4
    for (int s = 0; s < sums; ++s) sum[s] += load(x + i + s * n) * load(y + i + s * n);
  const Vector<T> all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  T total = 0;
  for (int lane = 0; lane < n; ++lane) total += all[lane];
  for (; i < count; ++i) total += x[i] * y[i];
  return total;
}

// sums(j) = Σₖ x(k)·b(k, j), along whichever axis of B is contiguous; four rows at a time, so that the sums are loaded
// and stored a quarter as often.
template <class T>
void row_sums(const T* x, const Matrix<T>& b, T* sums) {
  if (b.row_step == 1) {
    for (std::int64_t j = 0; j < b.columns; ++j) sums[j] = dot(x, &b(0, j), b.rows);
    return;
  }
  std::fill_n(sums, b.columns, T{0});
  std::int64_t k = 0;
  for (; k + 4 <= b.rows; k += 4) {
    const T *row0 = &b(k, 0), *row1 = &b(k + 1, 0), *row2 = &b(k + 2, 0), *row3 = &b(k + 3, 0);
    for (std::int64_t j = 0; j < b.columns; ++j)
      sums[j] += (x[k] * row0[j] + x[k + 1] * row1[j]) + (x[k + 2] * row2[j] + x[k + 3] * row3[j]);
  }
  for (; k < b.rows; ++k) add_multiple(sums, x[k], &b(k, 0), 1, b.columns);
}

template <class T>
bool is_matrix_times_column(const Matrix<T>& a, const Matrix<T>& b) {
  return b.columns == 1 && a.rows > 0 && a.columns > 0 && (a.row_step == 1 || a.column_step == 1);
}

// c = a·b for a single column b. Every number of A is used once, so there is nothing to pack. Long sums are cut into
// parts of a fixed length, which are added up in the end.
template <class T>
void matrix_times_column(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_step, bool accumulate) {
  constexpr std::int64_t width = 256, length = 1 << 14;
  const std::int64_t strips = (a.rows + width - 1) / width, parts = (a.columns + length - 1) / length;
  Scratch<T> column(b.row_step == 1 ? 0 : b.rows), sums(parts * a.rows);
  const T* x = b.data;
  if (b.row_step != 1) {
    pack(b, column.data(), 1);
    x = column.data();
  }
  const std::int64_t work = std::min(a.columns, length) * std::min(a.rows, width);
  parallel_for(parts * strips, items_of_a_task(work / 4), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t part = task / strips, k = part * length, i = task % strips * width;
      const Matrix<T> piece = a.block(i, k, std::min(width, a.rows - i), std::min(length, a.columns - k));
      row_sums(x + k, piece.transposed(), sums.data() + part * a.rows + i);
    }
  });
  for (std::int64_t i = 0; i < a.rows; ++i) {
    T total = sums.data()[i];
    for (std::int64_t part = 1; part < parts; ++part) total += sums.data()[part * a.rows + i];
    c[i * c_step] = accumulate ? c[i * c_step] + total : total;
  }
}

}  // namespace regard::matmul_ladder
