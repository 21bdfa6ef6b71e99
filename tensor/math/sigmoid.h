#pragma once

#include "tensor/math/exp.h"

namespace regard::math {

// w·σ(z) = w/(1 + e^−z), with e^−z = 2ⁿ·(1 + rest). Of the divisor only the last addition rounds noticeably: the sum
// 1 + 2ⁿ loses a part where n is large, but what that part is can be known. What 2ⁿ has beyond 2¹⁰⁰ comes last, so that
// the digits which small results lack are lost once. Z is double where z is known to more digits than a float holds.
template <class Z>
[[gnu::always_inline]] inline float weighted_sigmoid(float w, Z z) {
  const SplitExp e = split_exp(z > 60 ? -60 : -z);  // 1 + e^−60 is 1
  const std::int32_t power = e.power < 100 ? e.power : 100;
  const float q = power_of_two(power), sum = 1 + q, lost = 1 - (sum - q);
  const float value = w / (sum + fused(e.rest, q, lost)) * power_of_two(power - e.power);
  return z < -109 ? w * 0 : value;  // e^−109 is 0 in f32, even a hundredfold
}

[[gnu::always_inline]] inline float sigmoid(float x) { return weighted_sigmoid(1.0f, x); }
[[gnu::always_inline]] inline float silu(float x) { return weighted_sigmoid(x, x); }  // x·σ(x)

// Near 0 the odd polynomial x + x³·p(x²), whose relative error is 2^-29.7; from 0.55 on 1 − 2/(e^2|x| + 1).
[[gnu::always_inline]] inline float tanh(float x) {
  const float magnitude = std::abs(x), square = x * x;
  const float p = polynomial(square, -0x1.55554cp-2f, 0x1.110d66p-3f, -0x1.b9310cp-5f, 0x1.5979acp-6f, -0x1.9c6032p-8f);
  const float near = fused(magnitude * square, p, magnitude);
  const SplitExp e = split_exp(2 * magnitude);
  const float far = 1 - 2 / (fused(1 + e.rest, power_of_two(e.power), 1.0f));
  const float value = magnitude < 0.55f ? near : far;
  return std::copysign(magnitude > 10 ? 1 : value, x);  // tanh 10 is 1 already
}

inline double sigmoid(double x) {
  const double e = std::exp(-std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}
inline double silu(double x) { return x * sigmoid(x); }
inline double tanh(double x) { return std::tanh(x); }

}  // namespace regard::math
