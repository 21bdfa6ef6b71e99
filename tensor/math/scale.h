#pragma once

#include "tensor/math/bits.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace regard::math {

// x·2ⁿ for a whole number n, ±∞ or NaN, rounded once: also at the lower end, where results have fewer digits, and to 0
// and ∞ beyond both ends. x lies between ±2^−100 and ±2^100, or is any number if n is 0.
//
// 2ⁿ alone may be no float where the product is one. So it is multiplied in two steps, 2^h and 2^(n − h) with h about
// n/2, of which the first is exact wherever the result is not 0. A float has its exponent, plus 127, in eight of its
// bits: there −127 makes 0, and 128 ∞, which is what powers as far out as that must come to.
template <Float F>
[[gnu::always_inline]] inline F scale_in_steps(F x, F n) {
  const F low = all<F>(-254), high = all<F>(256);
  const F above = n < low ? low : n, near = above > high ? high : above;            // NaN stays
  const auto whole = bits_of(near + to_whole) - (bits_of(all<F>(to_whole)) - 256);  // n + 256, which is not negative
  const auto half = whole >> 1, rest = whole - half;
  const F scaled = x * float_of((half - 1) << 23) * float_of((rest - 1) << 23);  // 128 less, and 127 more
  return n == n ? scaled : n;
}

inline float scale(float x, float n) { return scale_in_steps(x, n); }

// For a register of 64 bytes there is an instruction: the only one that this folder calls by its name.
[[gnu::always_inline]] inline Floats scale(Floats x, Floats n) {
#if defined(__AVX512F__)
  return _mm512_maskz_scalef_ps(0xffff, x, n);  // in all lanes; GCC 12 warns of the form without a mask
#else
  return scale_in_steps(x, n);
#endif
}

}  // namespace regard::math
