#pragma once

#include "tensor/kernels/vector.h"

namespace regard::matmul_ladder {

using kernels::lanes;
using kernels::load;
using kernels::store;
using kernels::Vector;

// The piece of C that one call of the kernel computes, over `depth` steps of k. It fits in the registers, beside one row
// of B and one number of A: 6 × 4 + 4 + 1 of 32 registers, 6 × 2 + 2 + 1 of 16.
inline constexpr int tile_rows = 6;
inline constexpr int tile_vectors = kernels::vector_registers == 32 ? 4 : 2;
template <class T>
inline constexpr std::int64_t tile_columns = tile_vectors* lanes<T>;

// What a kernel reads and writes: A through any strides, B and C by rows.
template <class T>
struct TileOperands {
  const T* a;
  std::int64_t a_row_step, a_column_step;
  const T* b;
  std::int64_t b_row_step;
  T* c;
  std::int64_t c_row_step;
  std::int64_t depth;
  bool add;  // c += a·b, or c = a·b
};

// c(r, :) = Σₖ a(r, k)·b(k, :) for R rows of V vectors. The bounds are constants, so the loops over r and v disappear
// and every sum stays in a register of its own. All kernels add in the same order, k by k, so that it never matters for
// a number which of them computed it.
template <class T, int R, int V>
void multiply_tile(const TileOperands<T>& operands) {
  const TileOperands<T> x = operands;  // a copy: the compiler knows that storing to C does not change it
  constexpr int n = lanes<T>;
  Vector<T> sum[R][V] = {};
  const T *a = x.a, *b = x.b;

  // C will be needed at the end. It is fetched a row at a time, `gap` steps apart, so as not to delay what comes from B.
  constexpr std::int64_t gap = 16;
  std::int64_t k = 0;
  for (int next = x.depth >= 8 * gap ? -1 : R - 1; next < R; ++next) {
    if (next >= 0) {
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) __builtin_prefetch(x.c + next * x.c_row_step + v * n, 1);
    }
    const std::int64_t end = x.depth - (R - 1 - next) * gap;
    for (; k < end; ++k, a += x.a_column_step, b += x.b_row_step) {
      Vector<T> row[V];
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) row[v] = load(b + v * n);
#pragma GCC unroll 8
      for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) sum[r][v] += a[r * x.a_row_step] * row[v];
    }
  }

  if (x.add) {
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) sum[r][v] += load(x.c + r * x.c_row_step + v * n);
  }
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) store(x.c + r * x.c_row_step + v * n, sum[r][v]);
}

}  // namespace regard::matmul_ladder
