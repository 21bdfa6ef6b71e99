#include "tensor/matmul/bf16.h"

#include "tensor/math/vector.h"
#include "tensor/threads/parallel.h"

#include <algorithm>
#include <cstring>

namespace regard::matmul_ladder {
namespace {

using math::load, math::store, math::Vector;

constexpr int floats = math::lanes<float>;  // in a register
constexpr std::int64_t ahead = 1024;        // numbers
using Bits [[gnu::vector_size(math::vector_bytes / 2)]] = std::uint16_t;

// As many numbers as a register holds, as f32: 16 zeros behind the bits of each.
[[gnu::always_inline]] inline Vector<float> widened_register(const BFloat16* from) {
  Bits bits;
  std::memcpy(&bits, from, sizeof bits);
  return reinterpret_cast<Vector<float>>(__builtin_convertvector(bits, Vector<std::uint32_t>) << 16);
}

// c(i, j) (+)= Σₖ x(i, k)·w(j, k) for R rows of x and C of w. Each sum is made of two, of every other register, so that
// one multiplication need not wait for the last; it does not depend on R and C. Memory is asked for what comes next.
template <int R, int C>
void block(const Matrix<float>& x, const Matrix<BFloat16>& w, float* c, std::int64_t c_row_step, bool accumulate) {
  Vector<float> sum[R][C][2] = {};
  std::int64_t k = 0;
  for (; k + 2 * floats <= x.columns; k += 2 * floats) {
#pragma GCC unroll 4
    for (int j = 0; j < C; ++j) {
      const BFloat16* from = &w(j, k);
      __builtin_prefetch(from + ahead);
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        const Vector<float> numbers = widened_register(from + half * floats);
#pragma GCC unroll 4
        for (int i = 0; i < R; ++i) sum[i][j][half] += load(&x(i, k + half * floats)) * numbers;
      }
    }
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      float total = math::sum_of_lanes(sum[i][j][0] + sum[i][j][1]);
      for (std::int64_t rest = k; rest < x.columns; ++rest) total += x(i, rest) * widened(w(j, rest));
      float& to = c[i * c_row_step + j];
      to = accumulate ? to + total : total;
    }
}

// The same for up to R rows of x, and any number of w.
template <int R, int C>
void rows_of(const Matrix<float>& x, const Matrix<BFloat16>& w, float* c, std::int64_t c_row_step, bool accumulate) {
  if constexpr (R > 1)
    if (x.rows < R) return rows_of<R - 1, C>(x, w, c, c_row_step, accumulate);
  std::int64_t j = 0;
  for (; j + C <= w.rows; j += C) block<R, C>(x, w.block(j, 0, C, w.columns), c + j, c_row_step, accumulate);
  for (; j < w.rows; ++j) block<R, 1>(x, w.block(j, 0, 1, w.columns), c + j, c_row_step, accumulate);
}

}  // namespace

void multiply_bf16(const Matrix<float>& x, const Matrix<BFloat16>& w, float* c, bool accumulate) {
  // Rows of w that stay in the nearest cache while all rows of x pass; of a single one as many as make a task.
  const std::int64_t few = x.rows == 1 ? items_of_a_task(w.columns / 2) : 8;
  const std::int64_t groups = (w.rows + few - 1) / few, work = few * w.columns * x.rows / 8;
  parallel_for(groups, items_of_a_task(work), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin * few; j < std::min(end * few, w.rows); j += few) {
      const Matrix<BFloat16> some = w.block(j, 0, std::min(few, w.rows - j), w.columns);
      for (std::int64_t i = 0; i < x.rows; i += 4)
        rows_of<4, 2>(x.block(i, 0, std::min<std::int64_t>(4, x.rows - i), x.columns), some, c + i * w.rows + j, w.rows,
                      accumulate);
    }
  });
}

}  // namespace regard::matmul_ladder
