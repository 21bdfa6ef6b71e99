#pragma once

#include "tensor/math/vector.h"

#include <type_traits>
#include <utility>

namespace regard::loops {

// The lanes with these numbers of two vectors, the second of which goes on counting where the first ends.
template <class T, int... lane>
math::Vector<T> pick(const math::Vector<T>& x, const math::Vector<T>& y) {
#ifdef __clang__
  return __builtin_shufflevector(x, y, lane...);
#else
  using Index = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  return __builtin_shuffle(x, y, math::Vector<Index>{lane...});
#endif
}

// x₀ y₀ x₁ y₁ … of the first halves of two vectors, or of the second halves.
template <class T, int half, int... i>
math::Vector<T> interleave(const math::Vector<T>& x, const math::Vector<T>& y, std::integer_sequence<int, i...>) {
  return pick<T, (half * math::lanes<T> / 2 + i / 2 + i % 2 * math::lanes<T>)...>(x, y);
}

// Rows and columns of a square change places: as many rows as a vector has lanes, each in a register. Interleaving the
// upper half of the rows with the lower half moves the highest bit of the row number to the lowest of the column
// number; once for every bit, and rows and columns have changed places.
template <class T>
[[gnu::always_inline]] inline void transpose_registers(math::Vector<T>* rows) {
  constexpr int n = math::lanes<T>;
  constexpr auto every_lane = std::make_integer_sequence<int, n>{};
  math::Vector<T> mixed[n];
#pragma GCC unroll 4
  for (int round = 1; round < n; round *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < n / 2; ++i) {
      mixed[2 * i] = interleave<T, 0>(rows[i], rows[i + n / 2], every_lane);
      mixed[2 * i + 1] = interleave<T, 1>(rows[i], rows[i + n / 2], every_lane);
    }
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) rows[i] = mixed[i];
  }
}

// to(j, i) = from(i, j) for such a square in memory.
template <class T>
void transpose_square(const T* from, std::int64_t from_step, T* to, std::int64_t to_step) {
  constexpr int n = math::lanes<T>;
  math::Vector<T> rows[n];
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) rows[i] = math::load(from + i * from_step);
  transpose_registers<T>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) math::store(to + i * to_step, rows[i]);
}

}  // namespace regard::loops
