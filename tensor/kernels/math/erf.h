#pragma once

#include "tensor/kernels/math/sigmoid.h"

#include <numbers>

namespace regard::kernels {

// The normal distribution beyond x, Q(x) = ½·erfc(x/√2), is a bell over a slowly varying function: with s = 1/(2 + x)
// it is e^(−x²/2)·s·p(s), where the minimax polynomial p leaves a relative error of 2^-27.4 for 0.9 ≤ x ≤ 14.5.
// p(s) = constant + s·slope(s), which is left to the caller, who may want to know what the addition loses.
inline constexpr float tail_constant = 0x1.988612p-2f;
[[gnu::always_inline]] inline float tail_slope(float s) {
  return polynomial(s, 0x1.984a0ap-1f, 0x1.359670p+0f, 0x1.363bf0p-1f, -0x1.0d0126p-2f, -0x1.0153a4p+4f, 0x1.e5f4f6p+3f,
                    0x1.0e955ep+6f, -0x1.42f626p+7f, 0x1.ac3d40p+6f);
}

// Near 0 the odd polynomial x + x·p(x²), whose relative error is 2^-29.4; from 1 on 1 − 2·Q(√2·|x|).
[[gnu::always_inline]] inline float erf(float x) {
  const float magnitude = std::abs(x), square = x * x;
  const float p = polynomial(square, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2ce6p-4f, -0x1.b7f71ap-6f, 0x1.53f224p-8f,
                             -0x1.a3515ep-11f, 0x1.4771fep-14f);
  const float near = fused(magnitude, p, magnitude);
  const SplitExp bell = split_exp(-square);
  const float s = 1 / fused(magnitude, std::numbers::sqrt2_v<float>, 2.0f);
  const float far = 1 - 2 * s * fused(s, tail_slope(s), tail_constant) * (1 + bell.rest) * power_of_two(bell.power);
  const float value = magnitude < 1 ? near : far;
  return std::copysign(magnitude > 4 ? 1 : value, x);  // erf 4 is 1 already
}

// |x|·Q(|x|) for 0.9 ≤ |x| ≤ 14.5. So many roundings would add up to 4 units in the last place. Here what each took is
// computed, and put back before the last addition. With q = x/(2 + x) the s of above is (1 − q)/2; of an error of q about
// the (1 − q)th part reaches q·p(s).
[[gnu::always_inline]] inline float weighted_tail(float x) {
  const float square = x * x;
  const SplitExp bell = split_exp(square * -0.5f, fused_exactly(x, x, -square) * -0.5f);

  const float divisor = 2 + x, q = x / divisor, s = fused(q, -0.5f, 0.5f);
  const float q_lost = (fused_exactly(-q, divisor, x) - q * (x - (divisor - 2))) * s;
  const float slope = tail_slope(s), p = fused(s, slope, tail_constant);
  const float p_lost = fused_exactly(s, slope, tail_constant - p);
  const float product = q * p;
  const float lost = fused(fused(-q, q_lost, q_lost), p, fused(q, p_lost, fused_exactly(q, p, -product)));

  const float rest = fused(product, bell.rest, fused(product, bell.lost, fused(lost, bell.rest, lost)));
  return scale_down(product + rest, bell.power);
}

// x·Φ(x). Near 0 Φ(x) is ½ + x·p(x²), relative error 2^-26.6; elsewhere Q(|x|) below 0 and 1 − Q(|x|) above.
[[gnu::always_inline]] inline float gelu(float x) {
  const float magnitude = std::abs(x);
  const float p = polynomial(x * x, 0x1.988450p-2f, -0x1.105726p-4f, 0x1.469ad4p-7f, -0x1.32d7d2p-10f, 0x1.8fe734p-14f);
  const float near = x * fused(x, p, 0.5f);
  const float tail = magnitude > 14.5f ? 0 : weighted_tail(magnitude);
  const float far = (x < 0 ? x * 0 : x) - tail;
  return magnitude < 0.9f ? near : far;
}

// x·(1 + tanh u)/2 is x·σ(2u), u = √(2/π)·(x + 0.044715 x³).
[[gnu::always_inline]] inline float gelu_tanh(float x) {
  const double wide = x;
  return weighted_sigmoid(x, wide * fused(wide * wide, 0.07135481627260025, 1.5957691216057308));
}

inline double erf(double x) { return std::erf(x); }
inline double gelu(double x) {
  return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);  // erfc keeps its digits far to the left
}
inline double gelu_tanh(double x) { return x * 0.5 * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }

}  // namespace regard::kernels
