#pragma once

#include "tensor/math/scale.h"

namespace regard::math {

// e^x = 2^power · (1 + rest), where the power is a whole number, ∞ or NaN.
template <Float F>
struct SplitExp {
  F rest, power;
};

// (e^r − 1 − r)/r² for |r| ≤ ln(2)/2, a minimax polynomial that leaves an error of 2^-28.2 in e^r.
inline constexpr float exp_curve[] = {0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.55585ap-5f, 0x1.123d5cp-7f, 0x1.6ab6aap-10f};

// e^r, and e^r − 1. A 1 that is part of the polynomial costs one rounding less than a 1 that is added afterwards.
template <Float F>
[[gnu::always_inline]] inline F exp_of_rest(F r) {
  const auto& c = exp_curve;
  return polynomial(r, 1.0f, 1.0f, c[0], c[1], c[2], c[3], c[4]);
}
template <Float F>
[[gnu::always_inline]] inline F exp_of_rest_minus_one(F r) {
  const auto& c = exp_curve;
  return fused(r * r, polynomial(r, c[0], c[1], c[2], c[3], c[4]), r);
}

// x = n·ln 2 + r with n = round(x / ln 2), so that e^x = 2ⁿ·e^r. ln 2 is taken as the sum of a number of 15 bits, whose
// product with n is exact, and a remainder.
//
// For |x| > 2²² n is not the nearest integer any more, and r may be anything, for x = ±∞ NaN. It need only be small
// then: 2ⁿ alone is 0 or ∞, or NaN if x is. An r of 2 or more has the highest bit of its exponent set, and so have ∞
// and NaN; without that bit they are less than 2, and all r that are meant to be stay as they are.
template <Float F>
struct Reduced {
  F n, r;
};
template <Float F>
[[gnu::always_inline]] inline F less_than_two(F r) {
  constexpr std::uint32_t highest_bit_of_exponent = 0x40000000;
  return float_of(bits_of(r) & ~highest_bit_of_exponent);
}
template <Float F>
[[gnu::always_inline]] inline Reduced<F> reduce(F x) {
  const F n = whole_product(x, 0x1.715476p+0f);
  return {n, less_than_two(fused(n, -0x1.7f7d1cp-20f, fused(n, -0x1.62e4p-1f, x)))};
}

template <Float F>
[[gnu::always_inline]] inline SplitExp<F> split_exp(F x) {
  const Reduced<F> e = reduce(x);
  return {exp_of_rest_minus_one(e.r), e.n};
}

// e^(a·b), for −350 < a·b < 350. The product is not rounded: e^−80 would feel what that loses.
template <Float F>
[[gnu::always_inline]] inline SplitExp<F> split_exp_of_product(F a, F b) {
  const F n = whole_product(a * b, 0x1.715476p+0f);
  const F r = fused(n, -0x1.7f7d1cp-20f, fused_exactly(a, b, n * -0x1.62e4p-1f));
  return {exp_of_rest_minus_one(r), n};
}

template <Float F>
[[gnu::always_inline]] inline F exp(F x) {
  const Reduced<F> e = reduce(x);
  return scale(exp_of_rest(e.r), e.n);
}

inline double exp(double x) { return std::exp(x); }
inline Doubles exp(Doubles x) {
  return each_lane(x, [](double one) { return exp(one); });
}

}  // namespace regard::math
