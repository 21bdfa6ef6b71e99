#pragma once

#include "tensor/math/sigmoid.h"

#include <numbers>

namespace regard::math {

// Near 0 the odd polynomial x + x·p(x²), whose relative error is 2^-29.4. From 1 on 1 − erfc |x|, where erfc is a bell
// over a slowly varying function: with s = 1/(2 + √2·x) it is 2·e^(−x²)·s·p(s), to a relative error of 2^-27.4.
[[gnu::always_inline]] inline float erf(float x) {
  const float magnitude = std::abs(x), square = x * x;
  const float curve = polynomial(square, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2ce6p-4f, -0x1.b7f71ap-6f,
                                 0x1.53f224p-8f, -0x1.a3515ep-11f, 0x1.4771fep-14f);
  const float near = fused(magnitude, curve, magnitude);
  const SplitExp bell = split_exp(-square);
  const float s = 1 / fused(magnitude, std::numbers::sqrt2_v<float>, 2.0f);
  const float p = polynomial(s, 0x1.988612p-2f, 0x1.984a0ap-1f, 0x1.359670p+0f, 0x1.363bf0p-1f, -0x1.0d0126p-2f,
                             -0x1.0153a4p+4f, 0x1.e5f4f6p+3f, 0x1.0e955ep+6f, -0x1.42f626p+7f, 0x1.ac3d40p+6f);
  const float far = 1 - 2 * s * p * (1 + bell.rest) * power_of_two(bell.power);
  const float value = magnitude < 1 ? near : far;
  return std::copysign(magnitude > 4 ? 1 : value, x);  // erf 4 is 1 already
}

// x·Φ(x) = max(x, 0) − a·Q(a), where a = |x| and Q(a) = Φ(−a) is what the normal distribution has beyond a.
//
// Near 0 Φ(x) is ½ + x·p(−x²/2), relative error 2^-28.7. Elsewhere a·Q(a) is e^(−a²/2)·m(q), q = (a − c)/(a + 4), error
// 2^-27.1: over a bell that falls by 45 digits, m goes no farther than from 0.23 to 0.4. So q only has to say how far m
// is from its value in the middle, and what rounding takes from q hardly matters. c was chosen such that the
// coefficients lose almost nothing as floats.
[[gnu::always_inline]] inline float gelu(float x) {
  const float magnitude = std::abs(x), a = bounded(magnitude, 14.5f);  // 14.5·Q(14.5) is 0 in f32
  const float minus_half = a * -0.5f, h = minus_half * a;
  const float p = polynomial(h, 0x1.988452p-2f, 0x1.1057d4p-3f, 0x1.46b710p-5f, 0x1.348dd4p-7f, 0x1.a1b4c4p-10f);
  const float near = x * fused(x, p, 0.5f);

  const SplitExp bell = split_exp(h, fused_exactly(minus_half, a, -h));
  const float q = (a - 0x1.c5fd22p+0f) / (a + 4);
  // 2ⁿ is no float where n < −126, but 2ⁿ⁺³² is one: so m comes 2³² times too small.
  constexpr float unit = 0x1p-32f;
  const float m = polynomial(q, unit * 0x1.4d38dcp-2f, unit * 0x1.39eb6ep-2f, unit * -0x1.26639cp-1f,
                             unit * 0x1.49c70ap-1f, unit * -0x1.d0d95ep-2f, unit * 0x1.5fb260p-3f,
                             unit * 0x1.42e2c6p-9f, unit * -0x1.0d97acp-5f, unit * 0x1.59fc94p-7f);
  const float negated = fused(magnitude, -0.5f, x * -0.5f);  // −max(x, 0), but NaN for −∞, as −∞·0 is
  const float far = -fused(fused(m, bell.rest, m), power_of_two(bell.power + 32), negated);
  return magnitude < 0.8f ? near : far;
}

// w·(1 + tanh u)/2 is w·σ(2u), u = √(2/π)·(x + 0.044715 x³). The sum 1 + tanh u would lose its digits far to the left.
[[gnu::always_inline]] inline float gelu_tanh_share(float w, float x) {
  const double wide = x;
  return weighted_sigmoid(w, wide * fused(wide * wide, 0.07135481627260025, 1.5957691216057308));
}
[[gnu::always_inline]] inline float gelu_tanh(float x) { return gelu_tanh_share(x, x); }

inline double erf(double x) { return std::erf(x); }
inline double gelu(double x) {
  return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);  // erfc keeps its digits far to the left
}
inline double gelu_tanh_share(double w, double x) {
  return w * sigmoid(x * (0.07135481627260025 * x * x + 1.5957691216057308));
}
inline double gelu_tanh(double x) { return gelu_tanh_share(x, x); }

}  // namespace regard::math
