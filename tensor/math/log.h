#pragma once

#include "tensor/math/exp.h"

#include <limits>

namespace regard::math {

// power·ln 2 + log(1 + f) for f in [√½ − 1, √2 − 1]: log(1 + f) = f − f²/2 + f³·p(f), where the minimax polynomial p
// leaves a relative error of 2^-27.3; terms are added from the smallest up.
template <Float F>
[[gnu::always_inline]] inline F log_of_parts(F f, F power) {
  const F p = polynomial(f, 0x1.555554p-2f, -0x1.000226p-2f, 0x1.99a008p-3f, -0x1.547244p-3f, 0x1.22da16p-3f,
                         -0x1.0d8540p-3f, 0x1.055b9ep-3f, -0x1.38b608p-4f);
  const F square = f * f;
  const F low = fused(power, 0x1.7f7d1cp-20f, fused(square * f, p, square * -0.5f));
  return fused(power, 0x1.62e4p-1f, f + low);
}

// x = 2ⁿ·m with m in [√½, √2): log x = n·ln 2 + log m.
template <Float F>
[[gnu::always_inline]] inline F log(F x) {
  const F infinity = all<F>(std::numeric_limits<float>::infinity()), none = all<F>(NAN), zero{};
  const F shift = x < 0x1p-126f ? all<F>(23) : zero;  // a subnormal number has fewer bits than the steps below need
  const F normal = x < 0x1p-126f ? x * 0x1p23f : x;
  // Seen as integers, floats count evenly inside a power of two: the distance from √½, in steps of 2²³, is n. Its sign
  // is kept away from the shift by 128 steps more.
  const auto distance = bits_of(normal) - bits_of(all<F>(0x1.6a09e6p-1f)) + (128u << 23);
  const auto steps = distance >> 23;
  const F m = float_of(bits_of(normal) - ((steps - 128u) << 23));
  const F n = float_of(steps + bits_of(all<F>(to_whole))) - (to_whole + 128);
  const F result = log_of_parts(m - 1, n - shift);
  const F defined = x < infinity ? result : x;  // ∞ and NaN
  const F not_positive = x == zero ? -infinity : x < zero ? none : x;
  return x > zero ? defined : not_positive;
}

// log(1 + x) for 0 ≤ x ≤ 1, small x included. Above √2 − 1 it is ln 2 + log((1 + x)/2).
template <Float F>
[[gnu::always_inline]] inline F log1p_of_fraction(F x) {
  const F end = all<F>(0x1.a8279ap-2f), zero{};
  return log_of_parts(x > end ? (x - 1) * 0.5f : x, x > end ? all<F>(1) : zero);
}

// log(1 + eˣ) = max(x, 0) + log(1 + e^−|x|), which does not overflow.
template <Float F>
[[gnu::always_inline]] inline F softplus(F x) {
  const F zero{};
  return (x < zero ? zero : x) + log1p_of_fraction(exp(-magnitude(x)));
}

inline double log(double x) { return std::log(x); }
inline double softplus(double x) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::abs(x))); }
inline Doubles log(Doubles x) {
  return each_lane(x, [](double one) { return log(one); });
}
inline Doubles softplus(Doubles x) {
  return each_lane(x, [](double one) { return softplus(one); });
}

}  // namespace regard::math
