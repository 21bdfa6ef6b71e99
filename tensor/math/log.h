#pragma once

#include "tensor/math/exp.h"

#include <limits>

namespace regard::math {

// power·ln 2 + log(1 + f) for f in [√½ − 1, √2 − 1]: log(1 + f) = f − f²/2 + f³·p(f), where the minimax polynomial p
// leaves a relative error of 2^-27.3; terms are added from the smallest up.
[[gnu::always_inline]] inline float log_of_parts(float f, float power) {
  const float p = polynomial(f, 0x1.555554p-2f, -0x1.000226p-2f, 0x1.99a008p-3f, -0x1.547244p-3f, 0x1.22da16p-3f,
                             -0x1.0d8540p-3f, 0x1.055b9ep-3f, -0x1.38b608p-4f);
  const float square = f * f;
  const float low = fused(power, 0x1.7f7d1cp-20f, fused(square * f, p, square * -0.5f));
  return fused(power, 0x1.62e4p-1f, f + low);
}

// x = 2ⁿ·m with m in [√½, √2): log x = n·ln 2 + log m.
[[gnu::always_inline]] inline float log(float x) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const bool denormal = x < 0x1p-126f;
  const float normal = denormal ? x * 0x1p23f : x;
  // Seen as integers, floats count evenly inside a power of two: the distance from √½, in steps of 2²³, is n.
  const auto bits = std::bit_cast<std::uint32_t>(normal);
  const auto n = static_cast<std::int32_t>(bits - std::bit_cast<std::uint32_t>(0x1.6a09e6p-1f)) >> 23;
  const float m = std::bit_cast<float>(bits - (static_cast<std::uint32_t>(n) << 23));
  const float result = log_of_parts(m - 1, static_cast<float>(denormal ? n - 23 : n));
  const float defined = x < infinity ? result : x;  // ∞ and NaN
  return x > 0 ? defined : x == 0 ? -infinity : x < 0 ? std::numeric_limits<float>::quiet_NaN() : x;
}

// log(1 + x) for 0 ≤ x ≤ 1, small x included. Above √2 − 1 it is ln 2 + log((1 + x)/2).
[[gnu::always_inline]] inline float log1p_of_fraction(float x) {
  const bool large = x > 0x1.a8279ap-2f;
  return log_of_parts(large ? (x - 1) * 0.5f : x, large ? 1 : 0);
}

// log(1 + eˣ) = max(x, 0) + log(1 + e^−|x|), which does not overflow.
[[gnu::always_inline]] inline float softplus(float x) { return (x < 0 ? 0 : x) + log1p_of_fraction(exp(-std::abs(x))); }

inline double log(double x) { return std::log(x); }
inline double log1p_of_fraction(double x) { return std::log1p(x); }
inline double softplus(double x) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::abs(x))); }

}  // namespace regard::math
