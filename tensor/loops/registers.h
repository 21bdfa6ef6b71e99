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

// Where in a row a loop is: at(x) is the number x[i], or the register of numbers from x[i] on. So what is done to each
// is written once:  sum_row<T>(count, [=](auto at) { return at(x) * at(y); })
struct NumberAt {
  std::int64_t i;
  auto operator()(const auto* x) const { return x[i]; }
  void put(auto* to, auto x) const { to[i] = x; }
};
struct VectorAt {
  std::int64_t i;
  auto operator()(const auto* x) const { return math::load(x + i); }
  void put(auto* to, const auto& x) const { math::store(to + i, x); }
};

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

// The largest f(at) of a row, −∞ if there is none. f is called once for each place, where it may write by at.put(). NaN
// is passed over: whoever subtracts what this returns meets it anyway. Four registers, so that no comparison waits for
// the one before.
template <class T, class F>
[[gnu::flatten]] T largest_of(std::int64_t count, F f) {
  constexpr T nothing = -std::numeric_limits<T>::infinity();
  constexpr std::int64_t width = math::lanes<T>;
  const auto larger = [](Vector<T> a, Vector<T> b) __attribute__((always_inline)) { return a > b ? a : b; };
  Vector<T> most[4];
  for (Vector<T>& one : most) one = nothing - Vector<T>{};
  std::int64_t i = 0;
  for (; i + 4 * width <= count; i += 4 * width)
#pragma GCC unroll 4
    for (int n = 0; n < 4; ++n) most[n] = larger(f(VectorAt{i + n * width}), most[n]);
  for (; i + width <= count; i += width) most[0] = larger(f(VectorAt{i}), most[0]);
  T largest = math::largest_lane(larger(larger(most[0], most[1]), larger(most[2], most[3])));
  for (; i < count; ++i) largest = std::max(largest, f(NumberAt{i}));
  return largest;
}
template <class T>
T largest_of(const T* x, std::int64_t count) {
  return largest_of<T>(count, [=](auto at) { return at(x); });
}

}  // namespace regard::loops
