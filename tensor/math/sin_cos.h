#pragma once

#include "tensor/math/bits.h"

#include <cmath>

namespace regard::math {

// n = round(|x|/(π/2)) and r = |x| − n·π/2. π/2 is the sum of 33 bits, whose product with n is exact in double, and a
// remainder, so r keeps its digits however near to 0 it is. For |x| ≤ wide_angle.
inline constexpr float wide_angle = 65536;

struct Angle {
  float rest;
  std::int32_t quarter;
};
[[gnu::always_inline]] inline Angle reduce_angle(float magnitude) {
  const float sum = fused(magnitude, 0x1.45f306p-1f, to_whole);
  const double n = sum - to_whole;
  return {static_cast<float>(fused(n, -0x1.0b4611a626331p-34, fused(n, -0x1.921fb544p+0, double{magnitude}))),
          static_cast<std::int32_t>(bits_of(sum) - bits_of(to_whole))};
}

// ±sin r or ±cos r, whichever n quarter turns make of it: sin r, cos r, −sin r, −cos r. The polynomials
// r + r³·s(r²) and 1 − r²/2 + r⁴·c(r²) have relative errors of 2^-27.9 and 2^-33 for |r| ≤ π/4.
[[gnu::always_inline]] inline float sin_of(Angle angle) {
  const float r = angle.rest, square = r * r;
  const float sine = fused(r * square, polynomial(square, -0x1.555546p-3f, 0x1.110778p-7f, -0x1.9953fep-13f), r);
  const float cosine =
      1 + fused(square * square, polynomial(square, 0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f), square * -0.5f);
  const float value = angle.quarter & 1 ? cosine : sine;
  return angle.quarter & 2 ? -value : value;
}

// Right for |x| ≤ wide_angle and NaN; beyond that only sin_wide and cos_wide are.
[[gnu::always_inline]] inline float sin(float x) {
  const float value = sin_of(reduce_angle(std::abs(x)));
  return std::signbit(x) ? -value : value;
}
[[gnu::always_inline]] inline float cos(float x) {
  Angle angle = reduce_angle(std::abs(x));
  angle.quarter += 1;
  return sin_of(angle);
}

inline float sin_wide(float x) { return static_cast<float>(std::sin(double{x})); }
inline float cos_wide(float x) { return static_cast<float>(std::cos(double{x})); }

inline double sin(double x) { return std::sin(x); }
inline double cos(double x) { return std::cos(x); }
inline double sin_wide(double x) { return std::sin(x); }
inline double cos_wide(double x) { return std::cos(x); }

}  // namespace regard::math
