#pragma once

#include "tensor/math/vector.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace regard::loops {

// f32 functions take a register full of numbers at a time (tensor/math/bits.h), f64 functions one. What f is called
// with:
template <class T>
using Taken = std::conditional_t<std::is_same_v<T, float>, math::Vector<float>, T>;

template <class T>
inline constexpr std::int64_t taken = sizeof(Taken<T>) / sizeof(T);

template <class T>
Taken<T> take(const T* from) {
  Taken<T> x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

// The last numbers of a row, fewer than a register holds: the others are `filler`.
template <class T>
Taken<T> take_some(const T* from, std::int64_t count, T filler = 0) {
  T numbers[taken<T>];
  std::fill(std::copy(from, from + count, numbers), numbers + taken<T>, filler);
  return take(numbers);
}

template <class T>
[[gnu::always_inline]] inline void put(T* to, Taken<T> x) {
  std::memcpy(to, &x, sizeof x);
}

template <class T>
void put_some(T* to, std::int64_t count, Taken<T> x) {
  T numbers[taken<T>];
  put(numbers, x);
  std::copy(numbers, numbers + count, to);
}

// The sum of the numbers of a register.
template <class T>
T total(Taken<T> x) {
  if constexpr (std::is_same_v<Taken<T>, T>)
    return x;
  else
    return math::fold_register<T>(x, [](const auto& a, const auto& b) { return a + b; });
}

// out[i] = f(x[i], …) for 0 ≤ i < count, numbers that lie side by side; x may be out. The last ones are computed in a
// whole register too, so that an element's bits do not depend on where it stands. f becomes part of the loop:
// `flatten`, and a copy, which stores cannot change.
template <class T, class F, class... X>
[[gnu::flatten]] void each(T* out, std::int64_t count, F f, const X*... x) {
  std::int64_t i = 0;
  for (; i + taken<T> <= count; i += taken<T>) put(out + i, f(take(x + i)...));
  if (i < count) put_some<T>(out + i, count - i, f(take_some(x + i, count - i)...));
}

// The largest of numbers that lie side by side, −∞ if there is none. NaN is passed over: whoever subtracts what this
// returns meets it anyway. Four registers, so that no comparison waits for the one before.
template <class T>
T largest_of(const T* x, std::int64_t count) {
  constexpr T nothing = -std::numeric_limits<T>::infinity();
  constexpr std::int64_t width = math::lanes<T>;
  const auto larger = [](math::Vector<T> a, math::Vector<T> b) __attribute__((always_inline)) { return a > b ? a : b; };
  math::Vector<T> most[4];
  for (math::Vector<T>& one : most) one = nothing - math::Vector<T>{};
  std::int64_t i = 0;
  for (; i + 4 * width <= count; i += 4 * width)
#pragma GCC unroll 4
    for (int n = 0; n < 4; ++n) most[n] = larger(math::load(x + i + n * width), most[n]);
  const auto of_lanes = [](const auto& a, const auto& b) { return a > b ? a : b; };
  T largest = math::fold_register<T>(larger(larger(most[0], most[1]), larger(most[2], most[3])), of_lanes);
  for (; i < count; ++i) largest = x[i] > largest ? x[i] : largest;
  return largest;
}

}  // namespace regard::loops
