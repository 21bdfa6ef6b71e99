#pragma once

#include "tensor/kernels/math/exp.h"

#include <type_traits>

namespace regard::kernels {

// w·(1 + small)/divisor, for a divisor in [1, 2]. Where Z is double, what the two steps took is put back.
template <class Z>
[[gnu::always_inline]] inline float quotient(float w, float small, float divisor) {
  if constexpr (std::is_same_v<Z, float>) return fused(w, small, w) / divisor;
  const float dividend = fused(w, small, w), first = dividend / divisor;
  const float excess = fused_exactly(first, divisor, -dividend) + fused_exactly(-w, small, dividend - w);
  return first - excess * fused(divisor, -0.5f, 1.457f);
}

// w·σ(z) = w/(1 + e^−z) where z ≥ 0, w·e^z/(1 + e^z) elsewhere: e is only raised to powers ≤ 0 and cannot overflow. The
// power of two comes last, so that the digits which small results lack are lost once. Z is double where z is known to
// more digits than a float holds.
template <class Z>
[[gnu::always_inline]] inline float weighted_sigmoid(float w, Z z) {
  const Z magnitude = std::abs(z);
  const bool negative = z < 0;
  const bool vanishes = magnitude > 109;  // e^−109 is 0 in f32, even a hundredfold
  const SplitExp e = split_exp(-magnitude);
  const float small = vanishes ? 0 : scale_down(1 + e.rest, e.power), divisor = 1 + small;
  // What rounding took from the divisor, relative to it, is taken from the dividend: that need not be accurate, and
  // in [1, 2] the line is within 4 % of 1/divisor.
  const float lost = ((1 - divisor) + small) * fused(divisor, -0.5f, 1.457f);
  const float correction = (negative ? e.rest : 0) - lost;
  const float result = scale_down(quotient<Z>(w, correction, divisor), negative ? e.power : 0);
  return !vanishes ? result : negative ? w * 0 : w;
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

}  // namespace regard::kernels
