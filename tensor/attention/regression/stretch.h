#pragma once

#include "tensor/attention/pack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace regard::engine {

// Which keys a query of regression need not look at, since they are too far away to change a sum of powers
// e = 2^(bend·distance²).

// Neighbouring keys from low to high, of which the one that reaches farthest has this (negative) bend.
template <class T>
struct Stretch {
  static constexpr std::int64_t size = 4 * Pack<T>::size;
  std::int64_t begin, end;
  T low, high, bend;

  // Whether the powers of all queries in [first, last] are below 2^lowest.
  bool is_out_of_sight(T first, T last, T lowest) const {
    const T gap = std::max({T(0), low - last, first - high});
    return gap * gap * bend < lowest;
  }
};

template <class T>
std::vector<Stretch<T>> stretches_of(const std::vector<T>& x, const std::vector<T>& bend) {
  const std::int64_t count = std::ssize(x);
  std::vector<Stretch<T>> stretches;
  for (std::int64_t begin = 0; begin < count; begin += Stretch<T>::size) {
    const std::int64_t end = std::min(begin + Stretch<T>::size, count);
    const auto [low, high] = std::minmax_element(x.begin() + begin, x.begin() + end);
    const bool is_bent = std::all_of(bend.begin() + begin, bend.begin() + end, [](T one) { return one <= 0; });
    stretches.push_back(
        {begin, end, *low, *high, is_bent ? *std::max_element(bend.begin() + begin, bend.begin() + end) : 0});
  }
  return stretches;
}

// Log₂ of the power below which all keys together, even with the largest values beside usual ones, are lost in the
// rounding of a sum of 2^almost_nothing or more. Where a number is not finite this is −∞: nothing is passed over, and
// the number shows in all results.
inline constexpr int almost_nothing = -20;
template <class T>
T lowest_seen(const T* x, const T* y, std::int64_t count) {
  std::vector<T> sizes(static_cast<std::size_t>(count));
  bool is_finite = true;
  for (std::int64_t i = 0; i < count; ++i) {
    is_finite = is_finite && std::isfinite(x[i]) && std::isfinite(y[i]);
    sizes[static_cast<std::size_t>(i)] = std::abs(y[i]);
  }
  if (!is_finite) return -std::numeric_limits<T>::infinity();
  const auto middle = sizes.begin() + count / 2;
  std::nth_element(sizes.begin(), middle, sizes.end());
  const T usual = *middle, largest = *std::max_element(middle, sizes.end());
  if (usual == 0) return -std::numeric_limits<T>::infinity();
  return almost_nothing - std::numeric_limits<T>::digits - std::log2(static_cast<T>(count)) -
         std::log2(largest / usual);
}

}  // namespace regard::engine
