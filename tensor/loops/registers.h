#pragma once

#include "tensor/math/vector.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace regard::loops {

// Loops that take a register full of numbers at a time.
using math::Vector;

// The last numbers of a row, fewer than a register holds: the others are `filler`.
template <class T>
Vector<T> load_some(const T* from, std::int64_t count, T filler = 0) {
  T numbers[math::lanes<T>];
  std::fill(std::copy(from, from + count, numbers), numbers + math::lanes<T>, filler);
  return math::load(numbers);
}

template <class T>
void store_some(T* to, std::int64_t count, const Vector<T>& x) {
  T numbers[math::lanes<T>];
  math::store(numbers, x);
  std::copy(numbers, numbers + count, to);
}

// out[i] = f(x[i], …) for 0 ≤ i < count, numbers that lie side by side; x may be out. The last ones are computed in a
// whole register too, so that an element's bits do not depend on where it stands. f becomes part of the loop:
// `flatten`, and a copy, which stores cannot change.
template <class T, class F, class... X>
[[gnu::flatten]] void each(T* out, std::int64_t count, F f, const X*... x) {
  constexpr std::int64_t width = math::lanes<T>;
  std::int64_t i = 0;
  for (; i + width <= count; i += width) math::store(out + i, f(math::load(x + i)...));
  if (i < count) store_some<T>(out + i, count - i, f(load_some(x + i, count - i)...));
}

// The largest of numbers that lie side by side, −∞ if there is none. NaN is passed over: whoever subtracts what this
// returns meets it anyway. Four registers, so that no comparison waits for the one before.
template <class T>
T largest_of(const T* x, std::int64_t count) {
  constexpr T nothing = -std::numeric_limits<T>::infinity();
  constexpr std::int64_t width = math::lanes<T>;
  const auto larger = [](Vector<T> a, Vector<T> b) __attribute__((always_inline)) { return a > b ? a : b; };
  Vector<T> most[4];
  for (Vector<T>& one : most) one = nothing - Vector<T>{};
  std::int64_t i = 0;
  for (; i + 4 * width <= count; i += 4 * width)
#pragma GCC unroll 4
    for (int n = 0; n < 4; ++n) most[n] = larger(math::load(x + i + n * width), most[n]);
  for (; i + width <= count; i += width) most[0] = larger(math::load(x + i), most[0]);
  T largest = math::largest_lane(larger(larger(most[0], most[1]), larger(most[2], most[3])));
  for (; i < count; ++i) largest = x[i] > largest ? x[i] : largest;
  return largest;
}

}  // namespace regard::loops
