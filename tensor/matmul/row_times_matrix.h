#pragma once

#include "tensor/matmul/2_loop_order.h"
#include "tensor/matmul/6_every_shape.h"

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
bool is_row_times_matrix(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows == 1 && a.columns > 0 && b.columns > 0 && (b.row_step == 1 || b.column_step == 1);
}

// c = a·b for a single row a. Every number of B is used once, so there is nothing to pack: it is a matter of reading B
// as fast as memory gives it. Long sums are cut into parts of a fixed length, which are added up in the end.
template <class T, class ForEach>
void row_times_matrix(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_step, bool accumulate,
                      const ForEach& for_each) {
  constexpr std::int64_t width = 256, length = 1 << 14;
  const std::int64_t strips = (b.columns + width - 1) / width, parts = (b.rows + length - 1) / length;
  Scratch<T> row(a.column_step == 1 ? 0 : a.columns), sums(parts * b.columns);
  const T* x = a.data;
  if (a.column_step != 1) {
    pack(a, row.data(), a.columns);
    x = row.data();
  }
  const std::int64_t work = std::min(b.rows, length) * std::min(b.columns, width);
  for_each(parts * strips, std::max<std::int64_t>(1, work_of_a_task / (8 * work)),
           [&](std::int64_t begin, std::int64_t end) {
             for (std::int64_t task = begin; task < end; ++task) {
               const std::int64_t part = task / strips, k = part * length, j = task % strips * width;
               const Matrix<T> piece = b.block(k, j, std::min(length, b.rows - k), std::min(width, b.columns - j));
               row_sums(x + k, piece, sums.data() + part * b.columns + j);
             }
           });
  for (std::int64_t j = 0; j < b.columns; ++j) {
    T total = sums.data()[j];
    for (std::int64_t part = 1; part < parts; ++part) total += sums.data()[part * b.columns + j];
    c[j * c_step] = accumulate ? c[j * c_step] + total : total;
  }
}

}  // namespace regard::matmul_ladder
