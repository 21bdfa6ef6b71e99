#pragma once

#include "tensor/math/vector.h"
#include "tensor/matmul/matrix.h"

namespace regard::matmul_ladder {

using math::lanes, math::load, math::store, math::Vector;

// The piece of C that is computed at a time, over all steps of k. It fits in the registers, beside one row of B and one
// number of A: 6 × 4 + 4 + 1 of 32 registers, 6 × 2 + 2 + 1 of 16. Narrower ones may be higher.
inline constexpr int tile_rows = 6;
inline constexpr int tile_vectors = math::vector_registers == 32 ? 4 : 2;
template <class T>
inline constexpr std::int64_t tile_columns = tile_vectors* lanes<T>;

// sum(r, :) += a(r)·b(:), one step of k, for so many rows. Their number is a constant: sums that are counted at run
// time would lie in memory.
// book: step
template <int rows, class Lanes, int V, class T>
[[gnu::always_inline]] inline void add_step(Lanes (*sum)[V], const T* a, std::int64_t a_row_step, const T* b) {
  Lanes now[V];
#pragma GCC unroll 4
  for (int v = 0; v < V; ++v) now[v] = load(b + v * lanes<T>);
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) sum[r][v] += a[r * a_row_step] * now[v];
}
// book: /step

// c(r, :) = Σₖ a(r, k)·b(k, :), or c += …, for the first R rows of a and V vectors; the rows of b are contiguous. The
// bounds are constants, so the loops over r and v disappear and every sum stays in a register of its own. All tiles add
// in the same order, k by k, so that it never matters for a number which of them computed it.
//
// Two things are done for the processor's sake; README.md says why. Near the end memory is asked for the rows of C that
// will be written, one row every `gap` steps. And the last three steps are taken two rows at a time, so that sums are
// stored while others are still computed.
template <class T, int R, int V>
[[gnu::always_inline]] inline void multiply_tile(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step,
                                                 bool add) {
  const std::int64_t depth = a.columns, a_row_step = a.row_step, a_column_step = a.column_step, b_row_step = b.row_step;
  const std::int64_t last = V == 1 ? 0 : depth < 3 ? depth : 3;
  const T *column = a.data, *row = b.data;
  Vector<T> sum[R][V] = {};

  constexpr std::int64_t gap = 12;
  std::int64_t k = 0;
  for (std::int64_t left = depth >= 5 * gap ? R : 0; left >= 0; --left) {
    const std::int64_t end = depth - last - left * gap;
#pragma GCC unroll 4
    for (; k < end; ++k, column += a_column_step, row += b_row_step) add_step<R>(sum, column, a_row_step, row);
    if (left > 0)
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) __builtin_prefetch(c + (left - 1) * c_row_step + v * lanes<T>, 1);
  }

#pragma GCC unroll 16
  for (int r = 0; r < R; ++r, c += c_row_step) {
    for (std::int64_t i = 0; i < last && r % 2 == 0; ++i) {
      const T *number = column + r * a_row_step + i * a_column_step, *numbers = row + i * b_row_step;
      r + 1 < R ? add_step<2>(sum + r, number, a_row_step, numbers) : add_step<1>(sum + r, number, a_row_step, numbers);
    }
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) store(c + v * lanes<T>, add ? load(c + v * lanes<T>) + sum[r][v] : sum[r][v]);
  }
}

}  // namespace regard::matmul_ladder
