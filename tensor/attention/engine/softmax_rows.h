#pragma once

#include "tensor/attention/pack.h"

namespace regard::engine {

// What attention does to one row of a tile. Rows are whole packs long; what is masked in them is −∞.

// Added to a number below 2^22 this leaves the nearest integer, plus 127, in the lowest bits: the exponent field of a
// power of 2.
inline constexpr float to_exponent_field = 0x1.8p23f + 127;

// 2^(x·factor) up to 2^126: n is the nearest integer to x·factor, and what is left makes a minimax polynomial. It is
// off by 2e-8 at most, less than rounding: powers of nearby scores share the error of a polynomial, which does not
// cancel in sums as errors of rounding do. n may be −127, which makes 0, but not less. NaN stays NaN.
[[gnu::always_inline]] inline Pack<float> power_in_range(Pack<float> x, Pack<float> factor) {
  using Floats = Pack<float>::Lanes;
  using Bits = math::Vector<std::int32_t>;
  const Pack<float> moved = to_exponent_field, sum = fused(x, factor, moved);
  const Floats r = fused(x, factor, moved - sum).lanes;
  const Floats curve =
      ((((r * 0x1.41fbbcp-13f + 0x1.5f3e54p-10f) * r + 0x1.3b2d4cp-7f) * r + 0x1.c6aee8p-5f) * r + 0x1.ebfbdcp-3f) * r +
      0x1.62e430p-1f;
  const Floats power = reinterpret_cast<Floats>(reinterpret_cast<Bits>(sum.lanes) << 23);
  return Pack<float>(curve * r * power + power);
}
inline Pack<double> power_in_range(Pack<double> x, Pack<double> factor) {
  return Pack<double>(math::each_lane((x * factor).lanes, [](double one) { return std::exp2(one); }));
}

// 2^(x·factor) for any product up to 126; 0 where it rounds to −127 or less.
[[gnu::always_inline]] inline Pack<float> power_of_two(Pack<float> x, Pack<float> factor) {
  const Pack<float> moved = to_exponent_field, sum = fused(x, factor, moved);
  return Pack<float>(sum.lanes < to_exponent_field - 126 ? Pack<float>::Lanes{} : power_in_range(x, factor).lanes);
}
inline Pack<double> power_of_two(Pack<double> x, Pack<double> factor) { return power_in_range(x, factor); }

inline constexpr double log2_e = 1.4426950408889634;

// What the powers of a row are multiplied by when another number is subtracted from its scores.
inline float change_of_powers(float from, float to) {
  return static_cast<float>(std::exp2((double{from} - to) * static_cast<float>(log2_e)));
}
inline double change_of_powers(double from, double to) { return std::exp(from - to); }

// Calls body(power), where power(x) = e^(x − shift). The difference comes first: it is exact for numbers that are near
// each other, however large they are. And the power of the largest score is 1 to the last bit. So where one weight is
// all but 1, the output is the value of that key, and what cancels in gradients cancels to 0.
//
// In f32 a power of less than 2^−100 is 0, and so is that of −∞. It would change no sum that has a 1 in it. But what is
// made of it, weights and their gradients, would be numbers below 2^−126, which have fewer digits, and on many
// processors take a hundred cycles each. power_in_range is 0 for 2^−127, and takes no less.
template <class T, class Body>
[[gnu::always_inline]] inline auto with_powers(T shift, const Body& body) {
  constexpr T scale = static_cast<T>(log2_e);
  const Pack<T> low = shift;
  return body([=](Pack<T> x) __attribute__((always_inline)) {
    const Pack<T> below = x - low;
    if constexpr (std::is_same_v<T, float>)
      return power_in_range(Pack<T>::where_greater(-100 / scale, below, -127 / scale, below), Pack<T>(scale));
    else
      return power_in_range(below, Pack<T>(scale));
  });
}

inline constexpr int row_packs = 4;  // so many packs of a row are under way at a time; rows are whole packs

template <class T, class Body>
[[gnu::always_inline]] inline void for_row(std::int64_t count, const Body& body) {
  constexpr std::int64_t size = Pack<T>::size;
  std::int64_t j = 0;
  for (; j + row_packs * size <= count; j += row_packs * size)
#pragma GCC unroll 4
    for (int n = 0; n < row_packs; ++n) body(n, j + n * size);
#pragma GCC unroll 4
  for (int n = 0; n < row_packs - 1; ++n)
    if (j + n * size < count) body(n, j + n * size);
}

// The sum of term(j), a pack, over a row: in as many sums as packs are under way.
template <class T, class Term>
[[gnu::always_inline]] inline T row_sum(std::int64_t count, const Term& term) {
  Pack<T> total[row_packs];
  for (auto& one : total) one = 0;
  for_row<T>(
      count, [&](int n, std::int64_t j) __attribute__((always_inline)) { total[n] = total[n] + term(j); });
  return sum_of_lanes((total[0] + total[1]) + (total[2] + total[3]));
}

// What a row of scores x adds to softmax: Σ power(x), about e^(x − shift). The powers overwrite the scores.
template <class T>
T row_powers(T* x, std::int64_t count, T shift) {
  return with_powers(
      shift, [&](const auto& power_of) __attribute__((always_inline)) {
        return row_sum<T>(
            count, [&](std::int64_t j) __attribute__((always_inline)) {
              const Pack<T> power = power_of(Pack<T>::load(x + j));
              power.store(x + j);
              return power;
            });
      });
}

// Σⱼ w(j)·v(j), for values that are single numbers.
template <class T>
T weighted_sum(const T* w, const T* v, std::int64_t count) {
  return row_sum<T>(
      count, [=](std::int64_t j)
                 __attribute__((always_inline)) { return Pack<T>::load(w + j) * Pack<T>::load(v + j); });
}

// The scores s become weights w = power(s)·share, and the gradients of weights those of scores:
//   ∂s = w·(∂w − Σ w·∂w)
// where the sum, the same for all keys, is given as `mean`. A weight of 0 passes nothing on, even if what would be
// passed is NaN.
template <class T>
void row_gradients(T* s, T* gradient, std::int64_t count, T shift, T share, T mean) {
  with_powers(
      shift, [&](const auto& power_of) __attribute__((always_inline)) {
        for_row<T>(
            count, [&](int, std::int64_t j) __attribute__((always_inline)) {
              const Pack<T> w = power_of(Pack<T>::load(s + j)) * share;
              Pack<T>::where_not_zero(w, w * (Pack<T>::load(gradient + j) - mean)).store(gradient + j);
              w.store(s + j);
            });
      });
}

}  // namespace regard::engine
