#pragma once

#include "tensor/kernels/math/sigmoid.h"

#include <numbers>

namespace regard::kernels {

// The normal distribution beyond x, Q(x) = ½·erfc(x/√2), is a bell over a slowly varying function: with s = 1/(2 + x)
// it is e^(−x²/2)·s·p(s), where the minimax polynomial p leaves a relative error of 2^-25.5 for 0.9 ≤ x ≤ 14.5.
inline float tail_polynomial(float s) {
  return polynomial(s, 0x1.988956p-2f, 0x1.97e202p-1f, 0x1.3b0ee0p+0f, 0x1.2565acp-2f, 0x1.54f8b4p+1f, -0x1.0962fap+5f,
                    0x1.3bf6b0p+6f, -0x1.3eac66p+6f, 0x1.dfd1fap+4f);
}

// Near 0 the odd polynomial x + x·p(x²), whose relative error is 2^-29.4; from 1 on 1 − 2·Q(√2·|x|).
inline float erf(float x) {
  const float magnitude = std::abs(x), square = x * x;
  const float p = polynomial(square, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2ce6p-4f, -0x1.b7f71ap-6f, 0x1.53f224p-8f,
                             -0x1.a3515ep-11f, 0x1.4771fep-14f);
  const float near = fused(magnitude, p, magnitude);
  const SplitExp bell = split_exp(-square);
  const float s = 1 / fused(magnitude, std::numbers::sqrt2_v<float>, 2.0f);
  const float far = 1 - 2 * s * tail_polynomial(s) * (1 + bell.rest) * power_of_two(bell.power);
  const float value = magnitude < 1 ? near : far;
  return std::copysign(magnitude > 4 ? 1 : value, x);  // erf 4 is 1 already
}

// x·Φ(x). Near 0 Φ(x) is ½ + x·p(x²), relative error 2^-25.2; elsewhere Q(|x|) below 0 and 1 − Q(|x|) above. x² is exact
// in double.
inline float gelu(float x) {
  const float magnitude = std::abs(x), square = x * x;
  const float p =
      polynomial(square, 0x1.988450p-2f, -0x1.10573ap-4f, 0x1.469dc6p-7f, -0x1.3300f0p-10f, 0x1.916626p-14f);
  const float near = x * fused(x, p, 0.5f);
  const double wide = x;
  const SplitExp bell = split_exp(wide * wide * -0.5);
  const float x_times_s = x / (2 + magnitude);
  const float ratio = x_times_s * tail_polynomial(fused(std::abs(x_times_s), -0.5f, 0.5f));
  const float tail = magnitude > 14.5f ? x * 0 : scale(fused(ratio, bell.rest, ratio), bell.power);
  const float far = x < 0 ? tail : x - tail;
  return magnitude < 0.9f ? near : far;
}

// x·(1 + tanh u)/2 is x·σ(2u), u = √(2/π)·(x + 0.044715 x³).
inline float gelu_tanh(float x) {
  const double wide = x;
  return weighted_sigmoid(x, wide * fused(wide * wide, 0.07135481627260025, 1.5957691216057308));
}

inline double erf(double x) { return std::erf(x); }
inline double gelu(double x) {
  return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);  // erfc keeps its digits far to the left
}
inline double gelu_tanh(double x) { return x * 0.5 * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }

}  // namespace regard::kernels
