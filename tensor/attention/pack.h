#pragma once

#include "tensor/math/math.h"
#include "tensor/math/vector.h"

#include <type_traits>

namespace regard::engine {

// A vector register holds several numbers, its lanes, and one instruction adds or multiplies them all. A Pack is such a
// register, with the arithmetic of a number. A function that is written for one number, [](auto x) { return 2 * x; },
// also takes a Pack. So a score is written for one key, and computed for as many keys as there are lanes: 16 in f32 if
// registers have 64 bytes.
template <class T>
struct Pack {
  using Lanes = math::Vector<T>;
  static constexpr int size = math::lanes<T>;
  Lanes lanes;

  Pack() = default;
  explicit Pack(const Lanes& v) : lanes(v) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> Pack(Number x)
      : lanes(static_cast<T>(x) - Lanes{}) {}  // NOLINT: implicit: the number in all lanes

  static Pack load(const T* from) { return Pack(math::load(from)); }
  void store(T* to) const { math::store(to, lanes); }

  friend Pack operator+(Pack a, Pack b) { return Pack(a.lanes + b.lanes); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.lanes - b.lanes); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.lanes * b.lanes); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.lanes / b.lanes); }
  friend Pack operator-(Pack a) { return Pack(-a.lanes); }

  // yes where a > b, else no; and yes where a ≠ 0, NaN included, else 0.
  static Pack where_greater(Pack a, Pack b, Pack yes, Pack no) {
    return Pack(a.lanes > b.lanes ? yes.lanes : no.lanes);
  }
  static Pack where_not_zero(Pack a, Pack yes) { return Pack(a.lanes != Lanes{} ? yes.lanes : Lanes{}); }

  // The verbs of autograd/ops/ that a score may use; `sign`, for the slope of abs; and tanh, below.
  friend Pack square(Pack x) { return x * x; }
  friend Pack maximum(Pack a, Pack b) {  // NaN if either is NaN
    return Pack(((a.lanes > b.lanes) | (a.lanes != a.lanes)) ? a.lanes : b.lanes);
  }
  friend Pack minimum(Pack a, Pack b) { return -maximum(-a, -b); }
  friend Pack abs(Pack x) { return where_greater(0, x, -x, x); }
  friend Pack sign(Pack x) { return where_greater(x, 0, 1, 0) - where_greater(0, x, 1, 0); }  // −1, 0 or 1
  friend Pack relu(Pack x) { return where_greater(0, x, 0, x); }                              // NaN stays NaN
  friend Pack sqrt(Pack x) {
    return Pack(math::each_lane(
        x.lanes, [](T one) __attribute__((always_inline)) { return std::sqrt(one); }));
  }
  friend Pack rsqrt(Pack x) { return 1 / sqrt(x); }
  friend Pack sin(Pack x) {
    return Pack(math::each_lane(
        x.lanes, [](T one) __attribute__((always_inline)) { return std::sin(one); }));
  }
  friend Pack cos(Pack x) {
    return Pack(math::each_lane(
        x.lanes, [](T one) __attribute__((always_inline)) { return std::cos(one); }));
  }
  friend Pack exp(Pack x) { return Pack(math::exp(x.lanes)); }
  friend Pack log(Pack x) { return Pack(math::log(x.lanes)); }
  friend Pack sigmoid(Pack x) { return Pack(math::sigmoid(x.lanes)); }
  friend Pack softplus(Pack x) { return Pack(math::softplus(x.lanes)); }
};

// a·b + c, rounded once where the machine can.
template <class T>
[[gnu::always_inline]] inline Pack<T> fused(Pack<T> a, Pack<T> b, Pack<T> c) {
  return Pack<T>(math::each_lane(
      a.lanes, b.lanes, c.lanes, [](T x, T y, T z) __attribute__((always_inline)) { return math::fused(x, y, z); }));
}

template <class T>
T sum_of_lanes(Pack<T> x) {
  return math::sum_of_lanes(x.lanes);
}

inline Pack<double> tanh(Pack<double> x) { return Pack<double>(math::tanh(x.lanes)); }
// Additive attention is made of little else, so for f32 there is one in half the time: |x|·p(x²)/q(x²), a minimax fit
// up to a number near 9 for which it is 1, as are all beyond. The relative error is 3.7e-7, about three times that of
// math::tanh.
inline Pack<float> tanh(Pack<float> x) {
  using Floats = Pack<float>::Lanes;
  using Bits = math::Vector<std::int32_t>;
  constexpr float end = 8.96875f;
  const Bits bits = reinterpret_cast<Bits>(x.lanes), size = bits & 0x7fffffff;
  const Floats far = reinterpret_cast<Floats>(size), near = far > end ? end - Floats{} : far, z = near * near;
  const Floats p = (((z * 0x1.cadbdap-27f + 0x1.59c2fap-16f) * z + 0x1.ca2c4cp-9f) * z + 0x1.120b16p-3f) * z + 1.0f;
  const Floats q = (((z * 0x1.a17f8ep-21f + 0x1.5885dcp-12f) * z + 0x1.a7f7d8p-6f) * z + 0x1.de5ad4p-2f) * z + 1.0f;
  const Floats ratio = near * p / q, below_one = ratio > 1.0f ? 1.0f - Floats{} : ratio;
  return Pack<float>(reinterpret_cast<Floats>(reinterpret_cast<Bits>(below_one) | (bits ^ size)));
}

}  // namespace regard::engine
