#pragma once

#include "tensor/matmul/matrix.h"

#include <algorithm>
#include <vector>

namespace regard::matmul_ladder {

// Rung 4: B is copied into panels, each as wide as a few registers and dense. The rows of a narrow panel of B itself
// lie far apart, on a page each; those of the copy follow each other. And with a width that the compiler knows, a row
// of sums stays in registers during all of k, where the rungs before load and store it for every k. Gain: 1.8 (35
// GFLOP/s), and 31 where B is transposed.
template <class T>
void packing(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step) {
  constexpr std::int64_t depth = 512, width = 256 / sizeof(T);
  std::vector<T> panel(depth * width);
  for (std::int64_t i = 0; i < a.rows; ++i) std::fill_n(c + i * c_row_step, b.columns, T{0});
  for (std::int64_t k0 = 0; k0 < a.columns; k0 += depth)
    for (std::int64_t j0 = 0; j0 < b.columns; j0 += width) {
      const std::int64_t steps = std::min(depth, a.columns - k0), columns = std::min(width, b.columns - j0);
      for (std::int64_t k = 0; k < steps; ++k)
        for (std::int64_t j = 0; j < columns; ++j) panel[k * width + j] = b(k0 + k, j0 + j);
      for (std::int64_t i = 0; i < a.rows; ++i) {
        T sums[width] = {};
        for (std::int64_t k = 0; k < steps; ++k) {
          const T x = a(i, k0 + k), *row = &panel[k * width];
          for (std::int64_t j = 0; j < width; ++j) sums[j] += x * row[j];
        }
        for (std::int64_t j = 0; j < columns; ++j) c[i * c_row_step + j0 + j] += sums[j];
      }
    }
}

}  // namespace regard::matmul_ladder
