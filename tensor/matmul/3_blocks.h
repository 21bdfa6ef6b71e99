#pragma once

#include "tensor/matmul/2_loop_order.h"

namespace regard::matmul_ladder {

// Rung 3: the loops of rung 2 over blocks. Rung 2 streams all of B through the cache for every row of C; here a block
// of B stays in the second-level cache (256 × 512 numbers, 512 KiB in f32) until every row of A has met it. Gain: none
// at 512, where all of B fits in that cache; 1.45 at 1024.
// book: blocks
template <class T>
void blocks(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step) {
  constexpr std::int64_t depth = 256, width = 512;
  for (std::int64_t i = 0; i < a.rows; ++i) std::fill_n(c + i * c_row_step, b.columns, T{0});
  for (std::int64_t k0 = 0; k0 < a.columns; k0 += depth)
    for (std::int64_t j0 = 0; j0 < b.columns; j0 += width) {
      const std::int64_t k1 = std::min(k0 + depth, a.columns), columns = std::min(width, b.columns - j0);
      for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t k = k0; k < k1; ++k)
          add_multiple(c + i * c_row_step + j0, a(i, k), &b(k, j0), b.column_step, columns);
    }
}
// book: /blocks

}  // namespace regard::matmul_ladder
