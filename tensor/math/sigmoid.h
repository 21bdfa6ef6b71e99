#pragma once

#include "tensor/math/exp.h"

#include <numbers>

namespace regard::math {

// σ(x) = 1/(1 + e^−x) with e^−x = 2ⁿ·(1 + r·c(r)): the divisor is r·c(r)·2ⁿ + low + high, where low and high are 1 and
// 2ⁿ, the lesser first. So all but the last addition lose little. Both sides of the fraction are multiplied by u: 2^−64
// keeps the divisor a number wherever the result is one, and √2 is there for rounding. Relative to the divisor,
// rounding takes most from it just above a power of two. And relative to the result, a unit in its last digit is least
// just below a power of two. Without √2 both would meet.
template <Float F>
[[gnu::always_inline]] inline F sigmoid(F x) {
  constexpr float u = std::numbers::sqrt2_v<float> * 0x1p-64f;
  const F least = all<F>(-105);  // σ is 0 from there on
  const Reduced<F> e = reduce(-(x < least ? least : x));
  const auto& c = exp_curve;
  const F power = scale(all<F>(u), e.n), low = bounded(power, u), high = at_least(power, u);
  return u / (fused(power * e.r, polynomial(e.r, 1.0f, c[0], c[1], c[2], c[3], c[4]), low) + high);
}

// w·σ(z) = w/(1 + e^−z), given e^−z = 2ⁿ·(1 + rest); it is 2^−n·w/(2^−n + 1 + rest). Of the divisor only the last
// addition rounds noticeably: the sum 2^−n + 1 loses a part where one is much larger than the other, but what that part
// is can be known. The caller bounds z above, that n > −120; and where z is so low that the result is w·0, the caller
// says so, since a huge w would make an infinite quotient.
template <Float F>
[[gnu::always_inline]] inline F weighted_sigmoid(F w, SplitExp<F> e) {
  const F p = scale(all<F>(1), -e.power), sum = p + 1, lost = p - (sum - 1);
  return scale(w / (sum + (e.rest + lost)), -e.power);
}
template <Float F>
[[gnu::always_inline]] inline F silu(F x) {  // x·σ(x)
  const F most = all<F>(40);                 // σ is 1 from 17.4 on, and below −110 x·σ(x) is 0
  const F value = weighted_sigmoid(x, split_exp(-(x > most ? most : x)));
  return x < -110.0f ? x * 0 : value;
}

// Near 0 the odd polynomial x + x³·p(x²), whose relative error is 2^-29.7; from 0.55 on 1 − 2/(e^2|x| + 1), with 2|x|
// reduced as in exp.h. As it is more than 1, and for more than 18 the result is 1, a single float is enough for ln 2.
template <Float F>
[[gnu::always_inline]] inline F tanh(F x) {
  const F a = magnitude(x), square = x * x;
  const F p = polynomial(square, -0x1.55554cp-2f, 0x1.110d66p-3f, -0x1.b9310cp-5f, 0x1.5979acp-6f, -0x1.9c6032p-8f);
  const F near = fused(a * square, p, a);
  const F n = whole_product(a, 2 * 0x1.715476p+0f), half = less_than_two(fused(n, -0x1.62e43p-2f, a));
  const F far = 1 - 2 / (scale(exp_of_rest(2 * half), n) + 1);
  return with_sign(a < 0.55f ? near : far, x);
}

inline double sigmoid(double x) {
  const double e = std::exp(-std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}
inline double tanh(double x) { return std::tanh(x); }
inline Doubles sigmoid(Doubles x) {
  return each_lane(x, [](double one) { return sigmoid(one); });
}
template <Double F>
F silu(F x) {
  return x * sigmoid(x);
}
inline Doubles tanh(Doubles x) {
  return each_lane(x, [](double one) { return tanh(one); });
}

}  // namespace regard::math
