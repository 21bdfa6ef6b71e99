#pragma once

#include "tensor/loops/registers.h"
#include "tensor/loops/sum_row.h"
#include "tensor/math/exp.h"

#include <cmath>

namespace regard::loops {

// What softmax does to one row of numbers, and its gradient to one row of gradients.

// Below 2^−126 a float has fewer digits, and operations on such numbers take many processors a hundred cycles each.
// Weights as small as that change no sum that has others in it, so they are 0: x becomes 0 if it is less than `least`,
// before anything is computed with it. NaN stays.
template <class X, class T>
[[gnu::always_inline]] inline X without_tiny(X x, T least) {
  return x < least ? X{} : x;
}

// e^x, or 0 where it would be as small as that.
template <class T>
[[gnu::always_inline]] inline Vector<T> power_or_0(Vector<T> x) {
  constexpr T least = sizeof(T) == 4 ? T(-87.3365) : T(-708.396), nothing = -std::numeric_limits<T>::infinity();
  return math::exp(x < least ? nothing - Vector<T>{} : x);
}

// Σ e^(x[i] − largest). The powers are handed on, a register at a time: put(i, how many of it count, register).
// Meanwhile what lies behind the row is fetched, as that will be the next row.
template <class T, class Put>
[[gnu::flatten]] T sum_of_powers(const T* x, std::int64_t count, T largest, Put put) {
  constexpr std::int64_t width = math::lanes<T>;
  CascadeSum<T> sum;
  for (std::int64_t begin = 0; begin < count; begin += sum.block) {
    const std::int64_t end = std::min(begin + sum.block, count);
    Vector<T> running[4] = {};
    std::int64_t i = begin;
    for (; i + 4 * width <= end; i += 4 * width)
#pragma GCC unroll 4
      for (int n = 0; n < 4; ++n) {
        const std::int64_t at = i + n * width;
        const Vector<T> power = power_or_0<T>(math::load(x + at) - largest);
        put(at, width, power);
        running[n] += power;
        __builtin_prefetch(x + count + at);
      }
    for (; i < end; i += width) {
      const std::int64_t some = std::min(width, end - i);
      constexpr T nothing = -std::numeric_limits<T>::infinity();  // its power is 0
      const Vector<T> power = power_or_0<T>(load_some(x + i, some, nothing) - largest);
      put(i, some, power);
      running[0] += power;
    }
    sum.add_blocks(math::sum_of_lanes((running[0] + running[1]) + (running[2] + running[3])));
  }
  return sum.total();
}
template <class T>
T sum_of_powers(const T* x, std::int64_t count, T largest) {
  return sum_of_powers(x, count, largest, [](std::int64_t, std::int64_t, const Vector<T>&) {});
}

// to[i] = e^(x[i] − largest), which may overwrite x; returns their sum.
template <class T>
T powers(T* to, const T* x, std::int64_t count, T largest) {
  const auto put = [=](std::int64_t i, std::int64_t some, const Vector<T>& power) __attribute__((always_inline)) {
    if (some < math::lanes<T>) return store_some<T>(to + i, some, power);
    math::store(to + i, power);
    __builtin_prefetch(to + count + i, 1);
  };
  return sum_of_powers(x, count, largest, put);
}

// to[i] = e^(x[i] − largest) / Σ e^(x − largest), which may overwrite x; returns the sum.
template <class T>
T softmax_row(T* to, const T* x, std::int64_t count, T largest) {
  const T total = powers(to, x, count, largest);  // NaN if no x is more than −∞
  const T share = 1 / total, least = std::numeric_limits<T>::min() * total;
  for (std::int64_t i = 0; i < count; ++i) to[i] = without_tiny(to[i], least) * share;
  return total;
}

// softmax(scale·x) over the elements where keep is not 0; the others are 0, whatever x is there.
template <class T>
void softmax_of_kept(T* to, const T* x, T scale, const T* keep, std::int64_t count) {
  const T largest = largest_of<T>(count, [=](auto at) {
    const auto score = scale * at(x), zero = decltype(score){};
    const auto kept = at(keep) != zero ? score : zero - std::numeric_limits<T>::infinity();
    at.put(to, kept);
    return kept;
  });
  if (std::isnan(softmax_row(to, to, count, largest)))  // the whole row is, but not what is hidden
    for (std::int64_t i = 0; i < count; ++i) to[i] = keep[i] != 0 ? to[i] : 0;
}

// The gradients of softmax's inputs sum to 0, as moving all inputs alike changes nothing. So that of the winner, whose
// weight is near 1, is minus the sum of the others: directly it would be a difference of nearly equal numbers.
template <class T>
void balance(T* gradients, std::int64_t count, std::int64_t winner) {
  gradients[winner] = 0;
  gradients[winner] = -sum_row<T>(count, [=](auto at) { return at(gradients); });
}

// The same where there is a weight of more than `most`. Weights may be given as their logarithms, and `most` as its.
template <class T>
void balance_winner(T* gradients, const T* weights, std::int64_t count, T most) {
  if (!(largest_of(weights, count) > most)) return;
  std::int64_t winner = 0;
  while (!(weights[winner] > most)) ++winner;  // no other is, as they sum to 1
  balance(gradients, count, winner);
}

}  // namespace regard::loops
