#pragma once

#include "tensor/math/sigmoid.h"

#include <numbers>

namespace regard::math {

// Near 0 the odd polynomial x + x·p(x²), whose relative error is 2^-29.4. From 1 on 1 − erfc |x|, where erfc is a bell
// over a slowly varying function: with s = 1/(2 + √2·x) it is 2·e^(−x²)·s·p(s), to a relative error of 2^-27.4.
template <Float F>
[[gnu::always_inline]] inline F erf(F x) {
  const F a = magnitude(x), square = x * x;
  const F curve = polynomial(square, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2ce6p-4f, -0x1.b7f71ap-6f, 0x1.53f224p-8f,
                             -0x1.a3515ep-11f, 0x1.4771fep-14f);
  const F near = fused(a, curve, a);
  const F s = 1 / fused(a, std::numbers::sqrt2_v<float>, 2.0f);
  const F p = polynomial(s, 0x1.988612p-2f, 0x1.984a0ap-1f, 0x1.359670p+0f, 0x1.363bf0p-1f, -0x1.0d0126p-2f,
                         -0x1.0153a4p+4f, 0x1.e5f4f6p+3f, 0x1.0e955ep+6f, -0x1.42f626p+7f, 0x1.ac3d40p+6f);
  const F far = 1 - 2 * s * p * exp(-square);
  return with_sign(a < 1.0f ? near : far, x);
}

// x·Φ(x) = max(x, 0) − a·Q(a), where a = |x| and Q(a) = Φ(−a) is what the normal distribution has beyond a.
//
// Near 0 Φ(x) is ½ + x·p(−x²/2), relative error 2^-28.7. Elsewhere a·Q(a) is e^(−a²/2)·m(q), q = (a − c)/(a + 4), error
// 2^-27.1: over a bell that falls by 45 digits, m goes no farther than from 0.23 to 0.4. So q only has to say how far m
// is from its value in the middle, and what rounding takes from q hardly matters. c was chosen such that the
// coefficients lose almost nothing as floats.
template <Float F>
[[gnu::always_inline]] inline F gelu(F x) {
  const F size = magnitude(x), a = bounded(size, 14.5f);  // 14.5·Q(14.5) is 0 in f32
  const F minus_half = a * -0.5f;
  const F p =
      polynomial(minus_half * a, 0x1.988452p-2f, 0x1.1057d4p-3f, 0x1.46b710p-5f, 0x1.348dd4p-7f, 0x1.a1b4c4p-10f);
  const F near = x * fused(x, p, 0.5f);

  const SplitExp<F> bell = split_exp_of_product(minus_half, a);
  const F q = (a - 0x1.c5fd22p+0f) / (a + 4);
  const F m = polynomial(q, 0x1.4d38dcp-2f, 0x1.39eb6ep-2f, -0x1.26639cp-1f, 0x1.49c70ap-1f, -0x1.d0d95ep-2f,
                         0x1.5fb260p-3f, 0x1.42e2c6p-9f, -0x1.0d97acp-5f, 0x1.59fc94p-7f);
  const F negated = fused(size, -0.5f, x * -0.5f);  // −max(x, 0), but NaN for −∞, as −∞·0 is
  const F far = -(scale(fused(m, bell.rest, m), bell.power) + negated);
  return size < 0.8f ? near : far;
}

// x·(1 + tanh u)/2 is x·σ(2u), u = √(2/π)·(x + 0.044715 x³). The sum 1 + tanh u would lose its digits far to the left.
//
// There e^−2u feels the 33rd bit of 2u. With −2u/ln 2 = x·t, t = c₀ + c₁x², e^−2u is 2^(x·t), which needs no step by
// ln 2 to be cut into 2ⁿ·2^r. t is the sum of two floats: the nearest one to c₁x² + c₀, called t, and low, what it
// misses. That can be computed if t − c₀ is exact, so c₀ has 22 bits. Of all such c₀ one was chosen for which
// c₁ = 0.044715·c₀ is nearly a float too, and as both are a little off, t·correction is added.
template <Float F>
[[gnu::always_inline]] inline SplitExp<F> gelu_tanh_power(F x) {
  constexpr float c0 = -0x1.26b828p+1f, c1 = -0x1.a5b542p-4f, correction = -0x1.053ap-13f;
  const F square = x * x, lost = fused_exactly(x, x, -square);
  const F t = fused(square, c1, c0), missed = fused_exactly(square, all<F>(c1), c0 - t);
  const F low = fused(t, correction, fused(lost, c1, missed));
  const F n = whole_product(x, t);
  const F r = less_than_two(fused(x, low, fused_exactly(x, t, -n)));
  // 2^r − 1 for |r| ≤ 0.56, to 2^-27.6: the polynomial of exp.h for r·ln 2.
  return {r * polynomial(r, 0x1.62e430p-1f, 0x1.ebfbdcp-3f, 0x1.c6af82p-5f, 0x1.3b2d80p-7f, 0x1.5f0860p-10f,
                         0x1.41d0aep-13f),
          n};
}
template <Float F>
[[gnu::always_inline]] inline F gelu_tanh(F x) {
  const F most = all<F>(8);  // from 5 on the share is 1, and below −11 it is 0
  const F value = weighted_sigmoid(x, gelu_tanh_power(x > most ? most : x));
  return x < -11.0f ? x * 0 : value;
}

inline double erf(double x) { return std::erf(x); }
inline double gelu(double x) {
  return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);  // erfc keeps its digits far to the left
}
template <Double F>
F gelu_tanh(F x) {
  return x * sigmoid(x * (0.07135481627260025 * x * x + 1.5957691216057308));
}

// The slope of that: s + x·s·(1 − s)·2u′ with s = σ(2u). It is 0 or 1 far out, where x³ would overflow.
// As 2u is a float, s of a low x has an error of 2⁻²⁴·|2u|: 3e-6 of it at −8.
template <class F>
[[gnu::always_inline]] inline F gelu_tanh_slope(F x) {
  using T = std::conditional_t<Float<F>, float, double>;
  constexpr T c = T(1.5957691216057308), cubic = T(0.07135481627260025);
  const F most = F{} + T(30), in = x < -most ? -most : x > most ? most : x;
  const F square = in * in, twice_u = in * (cubic * square + c);
  const F s = sigmoid(twice_u), rest = sigmoid(-twice_u);
  return s * (1 + in * rest * (3 * cubic * square + c));
}

inline Doubles erf(Doubles x) {
  return each_lane(x, [](double one) { return erf(one); });
}
inline Doubles gelu(Doubles x) {
  return each_lane(x, [](double one) { return gelu(one); });
}

}  // namespace regard::math
