#pragma once

#include "tensor/math/vector.h"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace regard::math {

// What the f32 functions of this folder are made of. Most are written once for two kinds of numbers, F: a float, and a
// register full of floats. They have no branches, because the numbers of a register all take the same way; where two
// ways differ, both are computed and one is chosen. And every operation is one that IEEE 754 rounds in one way only. So
// a number has the same result, to the last bit, alone and in any lane of a register, provided that the compiler does
// not fuse a·b + c as it pleases: tensor/ is compiled with -ffp-contract=off, but for attention and products, where all
// elements are fused alike. A call that stays in a loop costs more than what it computes: so [[gnu::always_inline]].
using Floats = Vector<float>;

// In double the functions are those of the C++ library, one lane after another.
using Doubles = Vector<double>;

template <class F>
concept Float = std::same_as<F, float> || std::same_as<F, Floats>;
template <class F>
concept Double = std::same_as<F, double> || std::same_as<F, Doubles>;

// The number in all lanes of a register, or the number itself.
template <class F>
[[gnu::always_inline]] inline F all(double x) {
  if constexpr (std::is_arithmetic_v<F>)
    return static_cast<F>(x);
  else
    return static_cast<Lane<F>>(x) - F{};
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
inline constexpr bool machine_fuses = true;
#else
inline constexpr bool machine_fuses = false;
#endif

// a·b + c, rounded once where the machine can, else twice.
template <std::floating_point T>
inline T fused(T a, T b, T c) {
  return machine_fuses ? std::fma(a, b, c) : a * b + c;
}

[[gnu::always_inline]] inline Floats fused(Floats a, Floats b, Floats c) {
  if constexpr (!machine_fuses) return a * b + c;
  return each_lane(
      a, b, c, [](float x, float y, float z) __attribute__((always_inline)) { return std::fma(x, y, z); });
}
[[gnu::always_inline]] inline Floats fused(Floats a, float b, Floats c) { return fused(a, all<Floats>(b), c); }
[[gnu::always_inline]] inline Floats fused(Floats a, Floats b, float c) { return fused(a, b, all<Floats>(c)); }
[[gnu::always_inline]] inline Floats fused(Floats a, float b, float c) { return fused(a, b, all<Floats>(c)); }

// a·b + c, rounded once on every machine: for c ≈ −a·b it tells what the product lost when it was rounded.
inline float fused_exactly(float a, float b, float c) {
  return machine_fuses ? std::fma(a, b, c)
                       : static_cast<float>(double{a} * b + c);  // the product of two floats is exact
}
[[gnu::always_inline]] inline Floats fused_exactly(Floats a, Floats b, Floats c) {
  return each_lane(
      a, b, c, [](float x, float y, float z) __attribute__((always_inline)) { return fused_exactly(x, y, z); });
}

// c₀ + c₁x + c₂x² + … by Horner's rule.
template <Float F>
[[gnu::always_inline]] inline F polynomial(F, float c0) {
  return all<F>(c0);
}
template <Float F, class... Rest>
[[gnu::always_inline]] inline F polynomial(F x, float c0, Rest... higher) {
  return fused(x, polynomial(x, higher...), c0);
}

// The bits of a number, as a whole number without a sign; and back.
inline std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
inline math::Vector<std::uint32_t> bits_of(Floats x) { return reinterpret_cast<math::Vector<std::uint32_t>>(x); }
inline float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline Floats float_of(math::Vector<std::uint32_t> bits) { return reinterpret_cast<Floats>(bits); }

inline constexpr std::uint32_t sign_bit = 0x80000000;

// |x|, and |x| with the sign of another number.
template <Float F>
[[gnu::always_inline]] inline F magnitude(F x) {
  return float_of(bits_of(x) & ~sign_bit);
}
template <Float F>
[[gnu::always_inline]] inline F with_sign(F x, F sign) {
  return float_of((bits_of(x) & ~sign_bit) | (bits_of(sign) & sign_bit));
}

// The whole number nearest to a·b. Between 2²³ and 2²⁴ the last digit of a float is worth 1: adding 1.5·2²³ rounds to a
// whole number, and it is still one when 1.5·2²³ is subtracted. For |a·b| > 2²² it is only near a·b, and for ±∞ and NaN
// the same as a·b.
inline constexpr float to_whole = 0x1.8p23f;

template <Float F, class B>
[[gnu::always_inline]] inline F whole_product(F a, B b) {
  return fused(a, b, to_whole) - to_whole;
}

// The lesser and the greater of two numbers that are not negative; for NaN the one is `bound`, the other NaN. Their
// bits are in the same order, and to compare whole numbers takes one step.
template <Float F>
[[gnu::always_inline]] inline F bounded(F x, float bound) {
  const auto bits = bits_of(x), most = bits_of(all<F>(bound));
  return float_of(bits < most ? bits : most);
}
template <Float F>
[[gnu::always_inline]] inline F at_least(F x, float bound) {
  const auto bits = bits_of(x), least = bits_of(all<F>(bound));
  return float_of(bits > least ? bits : least);
}

}  // namespace regard::math
