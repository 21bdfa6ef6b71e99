#pragma once

#include "tensor/math/vector.h"

#include <array>
#include <cstdint>
#include <limits>

namespace regard::loops {

// What a reduction does to two numbers, and the number that changes nothing. NaN passes through all of them.
struct Plus {
  template <class T>
  static constexpr T identity = 0;
  auto operator()(auto a, auto b) const { return a + b; }
};

struct Times {
  template <class T>
  static constexpr T identity = 1;
  auto operator()(auto a, auto b) const { return a * b; }
};

struct Larger {
  template <class T>
  static constexpr T identity = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                     : std::numeric_limits<T>::lowest();
  auto operator()(auto a, auto b) const { return b > a || math::is_nan_number(b) ? b : a; }
};

struct Smaller {
  template <class T>
  static constexpr T identity = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                     : std::numeric_limits<T>::max();
  auto operator()(auto a, auto b) const { return b < a || math::is_nan_number(b) ? b : a; }
};

inline constexpr int fold_width = 64;

// Folds lanes half upon half, where they stand. Each half is known when compiled: the compiler needs no loops for them.
template <int count, class T, class Combine>
T fold_halves(T* lane, Combine combine) {
  static_assert(count > 0 && (count & (count - 1)) == 0);
  if constexpr (count == 1) {
    return lane[0];
  } else {
    for (int l = 0; l < count / 2; ++l) lane[l] = combine(lane[l], lane[l + count / 2]);
    return fold_halves<count / 2>(lane, combine);
  }
}

// Folds count numbers that lie `step` apart. The order is written out, as lanes that meet at the end: so the compiler
// may keep them in a few vector registers, whose operations do not wait for one another.
template <class T, class Combine>
[[gnu::noinline]] T fold_lanes(const T* x, std::int64_t count, std::int64_t step, Combine combine) {
  T rest = Combine::template identity<T>;
  if (count < fold_width / 2) {
    for (std::int64_t i = 0; i < count; ++i) rest = combine(rest, x[i * step]);
    return rest;
  }
  std::array<T, fold_width> lane;
  lane.fill(rest);
  std::int64_t i = 0;
  if (step == 1) {
    for (; i + fold_width <= count; i += fold_width)
      for (int l = 0; l < fold_width; ++l) lane[l] = combine(lane[l], x[i + l]);
  } else {
    for (; i + fold_width <= count; i += fold_width)
      for (int l = 0; l < fold_width; ++l) lane[l] = combine(lane[l], x[(i + l) * step]);
  }
  for (int l = 0; i < count; ++i, ++l) lane[l] = combine(lane[l], x[i * step]);
  return fold_halves<fold_width>(lane.data(), combine);
}

}  // namespace regard::loops
