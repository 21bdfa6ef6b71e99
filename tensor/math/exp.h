#pragma once

#include "tensor/math/bits.h"

#include <limits>

namespace regard::math {

// e^x = 2^power · (1 + rest), |rest| < 0.42. The last addition is left to the caller, who may have more to add.
struct SplitExp {
  float rest;
  std::int32_t power;
};

// (e^r − 1 − r)/r² for |r| ≤ ln(2)/2, a minimax polynomial that leaves an error of 2^-28.2 in e^r.
[[gnu::always_inline]] inline float exp_curve(float r) {
  return polynomial(r, 0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.55585ap-5f, 0x1.123d5cp-7f, 0x1.6ab6aap-10f);
}

// n = round(x / ln 2) and r = x − n·ln 2, so that e^x = 2ⁿ·e^r. ln 2 is taken as the sum of a number of 15 bits, whose
// product with n is exact, and a remainder. For |x| < 350.
[[gnu::always_inline]] inline SplitExp split_exp(float x) {
  const Rounded n = rounded_product(x, 0x1.715476p+0f);
  const float r = fused(n.value, -0x1.7f7d1cp-20f, fused(n.value, -0x1.62e4p-1f, x));
  return {fused(r * r, exp_curve(r), r), n.integer};
}

// e^(x + low), where low is so small that it does not change n: what was lost when x was rounded. e^−80 feels it.
[[gnu::always_inline]] inline SplitExp split_exp(float x, float low) {
  const Rounded n = rounded_product(x, 0x1.715476p+0f);
  const float r = fused(n.value, -0x1.62e4p-1f, x) + fused(n.value, -0x1.7f7d1cp-20f, low);
  return {fused(r * r, exp_curve(r), r), n.integer};
}

// The same for an x that is given in double.
[[gnu::always_inline]] inline SplitExp split_exp(double x) {
  const Rounded n = rounded_product(static_cast<float>(x), 0x1.715476p+0f);
  const double exact = fused(static_cast<double>(n.value), -0x1.62e42fefa39efp-1, x);
  const float r = static_cast<float>(exact);
  const float curve = fused(r * r, exp_curve(r), static_cast<float>(exact - r));
  return {r + curve, n.integer};
}

// Outside [−104, 89] the result is 0 or ∞, and what the steps above come to does not matter. (Bounding x beforehand
// would do as well, but GCC then computes three cases where there is one.) NaN stays NaN.
[[gnu::always_inline]] inline float exp(float x) {
  const SplitExp e = split_exp(x);
  const float value = scale(1 + e.rest, e.power);
  const float bounded = x > 89 ? std::numeric_limits<float>::infinity() : value;
  return x < -104 ? 0 : bounded;
}

inline double exp(double x) { return std::exp(x); }

}  // namespace regard::math
