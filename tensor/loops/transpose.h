#pragma once

#include "tensor/math/vector.h"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace regard::loops {

// A register of n numbers: the widest there is, or a part of one.
template <class T, int n>
struct Register {
  using Type [[gnu::vector_size(n * sizeof(T))]] = T;
};
template <class T, int n>
using Lanes = typename Register<T, n>::Type;

// These lanes of two registers of n: x has the lanes 0 to n − 1, and y goes on with n.
template <class T, int... lane>
auto pick(const Lanes<T, sizeof...(lane)>& x, const Lanes<T, sizeof...(lane)>& y) {
#ifdef __clang__
  return __builtin_shufflevector(x, y, lane...);
#else
  using Index = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  return __builtin_shuffle(x, y, Lanes<Index, sizeof...(lane)>{lane...});
#endif
}

// x₀ y₀ x₁ y₁ … of the first halves of two registers, or of the second halves.
template <class T, int half, int n, int... i>
Lanes<T, n> interleave(const Lanes<T, n>& x, const Lanes<T, n>& y, std::integer_sequence<int, i...>) {
  return pick<T, (half * n / 2 + i / 2 + i % 2 * n)...>(x, y);
}

// Rows and columns of a square are swapped: n rows of n numbers, each row in a register. Interleaving the upper half of
// the rows with the lower half moves the highest bit of the row number to the lowest of the column number; once for
// every bit, and rows and columns are swapped.
template <class T, int n>
[[gnu::always_inline]] inline void transpose_registers(Lanes<T, n>* rows) {
  constexpr auto every_lane = std::make_integer_sequence<int, n>{};
  Lanes<T, n> mixed[n];
#pragma GCC unroll 4
  for (int round = 1; round < n; round *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < n / 2; ++i) {
      mixed[2 * i] = interleave<T, 0, n>(rows[i], rows[i + n / 2], every_lane);
      mixed[2 * i + 1] = interleave<T, 1, n>(rows[i], rows[i + n / 2], every_lane);
    }
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) rows[i] = mixed[i];
  }
}

// to(j, i) = from(i, j) for such a square in memory.
template <class T, int n>
void transpose_square(const T* from, std::int64_t from_step, T* to, std::int64_t to_step) {
  Lanes<T, n> rows[n];
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) std::memcpy(&rows[i], from + i * from_step, sizeof rows[i]);
  transpose_registers<T, n>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) math::store(to + i * to_step, rows[i]);
}

}  // namespace regard::loops
