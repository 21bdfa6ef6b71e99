#pragma once

#include "tensor/attention/pack.h"

namespace regard {

// What attention does to one row of a tile. Rows are whole packs long; what is masked in them is −∞.

// e^x for x ≤ 0, as tensor/kernels/math/exp.h has it, but without the steps for large x: what would be below the smallest
// normal number becomes 0. NaN stays NaN.
inline Pack<float> exp_of_negative(Pack<float> x) {
  using Floats = Pack<float>::Lanes;
  using Bits = kernels::Vector<std::int32_t>;
  constexpr float shift = 0x1.8p23f;
  const Floats sum = x.lanes * 0x1.715476p+0f + shift, n = sum - shift;
  const Floats r = n * -0x1.7f7d1cp-20f + (n * -0x1.62e4p-1f + x.lanes);
  const Floats curve =
      ((((r * 0x1.6ab6aap-10f + 0x1.123d5cp-7f) * r + 0x1.55585ap-5f) * r + 0x1.55548cp-3f) * r + 0x1.fffffcp-2f);
  const Floats power = (r * r) * curve + r + 1.0f;
  const Floats value = reinterpret_cast<Floats>(reinterpret_cast<Bits>(power) + (reinterpret_cast<Bits>(sum) << 23));
  return Pack<float>(x.lanes < -87.0f ? Floats{} : value);
}
inline Pack<double> exp_of_negative(Pack<double> x) {
  return each_lane(x, [](double one) { return std::exp(one); });
}

template <class T>
T row_maximum(const T* x, std::int64_t count) {
  Pack<T> largest = -std::numeric_limits<T>::infinity();
  for (std::int64_t j = 0; j < count; j += Pack<T>::size) largest = maximum(Pack<T>::load(x + j), largest);
  return largest_lane(largest);
}

// x ← e^(x − shift). Returns the sum.
template <class T>
T row_exponentials(T* x, std::int64_t count, T shift) {
  Pack<T> sum = 0;
  for (std::int64_t j = 0; j < count; j += Pack<T>::size) {
    const Pack<T> e = exp_of_negative(Pack<T>::load(x + j) - shift);
    e.store(x + j);
    sum = sum + e;
  }
  return sum_of_lanes(sum);
}

// The same where a value is one number: returns Σ e·v as well, and stores nothing.
template <class T>
struct RowSums {
  T total, mixed;
};
template <class T>
RowSums<T> row_mixture(const T* x, const T* v, std::int64_t count, T shift) {
  Pack<T> sum = 0, mixed = 0;
  for (std::int64_t j = 0; j < count; j += Pack<T>::size) {
    const Pack<T> e = exp_of_negative(Pack<T>::load(x + j) - shift);
    sum = sum + e;
    mixed = mixed + Pack<T>::where_not_zero(e, e * Pack<T>::load(v + j));  // 0·NaN would be NaN
  }
  return {sum_of_lanes(sum), sum_of_lanes(mixed)};
}

// The scores s become weights w = e^(s − log_sum), and to_weights(j), the gradients of weights, those of scores:
//   ∂s = w·(∂w − Σ w·∂w)
// where the sum, the same for all keys, is given as `mean`. A weight of 0 passes nothing on, even if what would be passed is
// NaN.
template <class T, class ToWeights>
void row_gradients(T* s, T* gradient, std::int64_t count, T log_sum, T mean, const ToWeights& to_weights) {
  for (std::int64_t j = 0; j < count; j += Pack<T>::size) {
    const Pack<T> w = exp_of_negative(Pack<T>::load(s + j) - log_sum);
    w.store(s + j);
    Pack<T>::where_not_zero(w, w * (to_weights(j) - mean)).store(gradient + j);
  }
}

}  // namespace regard
