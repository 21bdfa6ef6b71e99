#include "tensor/matmul/bf16.h"

#include "tensor/math/vector.h"
#include "tensor/threads/parallel.h"

#include <algorithm>

namespace regard::matmul_ladder {
namespace {

using math::load, math::store, math::Vector;

constexpr int lanes = math::lanes<float>;
using Bits [[gnu::vector_size(math::vector_bytes / 2)]] = std::uint16_t;
using WideBits [[gnu::vector_size(math::vector_bytes)]] = std::uint32_t;

// As many numbers as a register has lanes, as f32: 16 zeros behind the bits of each.
[[gnu::always_inline]] inline Vector<float> widened_register(const BFloat16* from) {
  Bits bits;
  std::memcpy(&bits, from, sizeof bits);
  const WideBits wide = __builtin_convertvector(bits, WideBits) << 16;
  Vector<float> numbers;
  std::memcpy(&numbers, &wide, sizeof numbers);
  return numbers;
}

// c(i, j) (+)= Σₖ x(i, k)·w(j, k) for R rows of x and C of w. Each sum has lanes of its own, so it does not depend on R
// and C.
template <int R, int C>
void block(const Matrix<float>& x, const Matrix<BFloat16>& w, float* c, std::int64_t c_row_step, bool accumulate) {
  Vector<float> sum[R][C] = {};
  std::int64_t k = 0;
  for (; k + lanes <= x.columns; k += lanes) {
#pragma GCC unroll 8
    for (int j = 0; j < C; ++j) {
      const Vector<float> numbers = widened_register(&w(j, k));
#pragma GCC unroll 4
      for (int i = 0; i < R; ++i) sum[i][j] += load(&x(i, k)) * numbers;
    }
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      float total = math::sum_of_lanes(sum[i][j]);
      for (std::int64_t rest = k; rest < x.columns; ++rest) total += x(i, rest) * widened(w(j, rest));
      float& to = c[i * c_row_step + j];
      to = accumulate ? to + total : total;
    }
}

// The same for up to R and up to C.
template <int R, int C>
void block_of(const Matrix<float>& x, const Matrix<BFloat16>& w, float* c, std::int64_t c_row_step, bool accumulate) {
  if constexpr (R > 1)
    if (x.rows < R) return block_of<R - 1, C>(x, w, c, c_row_step, accumulate);
  if constexpr (C > 1)
    if (w.rows < C) return block_of<R, C / 2>(x, w, c, c_row_step, accumulate);
  block<R, C>(x, w, c, c_row_step, accumulate);
  if (w.rows > C) block_of<R, C>(x, w.block(C, 0, w.rows - C, w.columns), c + C, c_row_step, accumulate);
}

}  // namespace

void multiply_bf16(const Matrix<float>& x, const Matrix<BFloat16>& w, float* c, bool accumulate) {
  constexpr std::int64_t few = 8;  // rows of w, which stay in the nearest cache while all rows of x pass
  const std::int64_t groups = (w.rows + few - 1) / few;
  const std::int64_t work = few * w.columns * std::max<std::int64_t>(1, x.rows / 8);
  parallel_for(groups, items_of_a_task(work), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin * few; j < std::min(end * few, w.rows); j += few) {
      const Matrix<BFloat16> some = w.block(j, 0, std::min(few, w.rows - j), w.columns);
      if (x.rows == 1)
        block_of<1, 8>(x, some, c + j, w.rows, accumulate);
      else
        for (std::int64_t i = 0; i < x.rows; i += 4)
          block_of<4, 4>(x.block(i, 0, std::min<std::int64_t>(4, x.rows - i), x.columns), some, c + i * w.rows + j,
                         w.rows, accumulate);
    }
  });
}

}  // namespace regard::matmul_ladder
