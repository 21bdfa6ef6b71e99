#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace regard::math {

// What the f32 functions of this folder are made of. They are written without branches and without calls, so that a
// compiler turns a loop over them into vector instructions, and every operation is one that IEEE 754 rounds in one way
// only. That gives an element the same bits in the body of a vectorised loop and in its remainder, provided that the
// compiler does not fuse a·b + c as it pleases: sources that include this are compiled with -ffp-contract=off.
// A single call that stays in a loop keeps it from being vectorised, hence [[gnu::always_inline]].

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
inline constexpr bool machine_fuses = true;
#else
inline constexpr bool machine_fuses = false;
#endif

// a·b + c, rounded once where the machine can, else twice.
template <class T>
inline T fused(T a, T b, T c) {
  return machine_fuses ? std::fma(a, b, c) : a * b + c;
}

// a·b + c, rounded once on every machine: for c ≈ −a·b it tells what the product lost when it was rounded.
inline float fused_exactly(float a, float b, float c) {
  return machine_fuses ? std::fma(a, b, c)
                       : static_cast<float>(double{a} * b + c);  // the product of two floats is exact
}

// c₀ + c₁x + c₂x² + … by Horner's rule.
template <class T>
inline T polynomial(T, T c0) {
  return c0;
}
template <class T, class... Rest>
inline T polynomial(T x, T c0, Rest... higher) {
  return fused(x, polynomial(x, higher...), c0);
}

// The integer nearest to a·b. Between 2²³ and 2²⁴ the last place of a float is 1: adding 1.5·2²³ rounds to a whole
// number, which can be read off the bits and, after subtracting again, as a float. For |a·b| < 2²²; beyond that, and
// for NaN, the integer is anything.
struct Rounded {
  float value;
  std::int32_t integer;
};
inline Rounded rounded_product(float a, float b) {
  constexpr float shift = 0x1.8p23f;
  const float sum = fused(a, b, shift);
  const std::uint32_t distance = std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(shift);
  return {sum - shift, static_cast<std::int32_t>(distance)};
}

// The lesser of two numbers that are not negative, and `bound` for NaN. Their bits are in the same order, and of
// integers compilers take a minimum in one step; a choice of floats GCC may draw apart into two computations.
inline float bounded(float x, float bound) {
  return std::bit_cast<float>(std::min(std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(bound)));
}

// 2ⁿ, put together from its bits, −126 ≤ n ≤ 127. For other n it is anything.
inline float power_of_two(std::int32_t n) { return std::bit_cast<float>((static_cast<std::uint32_t>(n) + 127) << 23); }

// x·2ⁿ for −252 ≤ n ≤ 254. In two steps, of which the first is exact, because 2ⁿ alone may be no float where the
// product is one: at the lower end, where results have fewer digits, and just below the largest float.
inline float scale(float x, std::int32_t n) { return x * power_of_two(n >> 1) * power_of_two(n - (n >> 1)); }

}  // namespace regard::math
