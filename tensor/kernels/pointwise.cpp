#include "tensor/pointwise.h"

#include "tensor/kernels/map.h"
#include "tensor/kernels/number.h"

#include <cmath>
#include <numbers>

namespace regard {
namespace {

template <class F>
Tensor unary(const char* operation, const Tensor& x, F f) {
  return dispatch_float(operation, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return kernels::map<T, T>(x, [f](T value) -> T { return f(value); });
  });
}

template <class F>
Tensor unary_any(const Tensor& x, F f) {
  return dispatch(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return kernels::map<T, T>(x, [f](T value) -> T { return f(value); });
  });
}

// Written so that e is only raised to powers ≤ 0: it cannot overflow.
template <class T>
T logistic(T x) {
  const T e = std::exp(-std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

}  // namespace

Tensor exp(const Tensor& x) {
  return unary("exp", x, [](auto v) { return std::exp(v); });
}
Tensor log(const Tensor& x) {
  return unary("log", x, [](auto v) { return std::log(v); });
}
Tensor sqrt(const Tensor& x) {
  return unary("sqrt", x, [](auto v) { return std::sqrt(v); });
}
Tensor rsqrt(const Tensor& x) {
  return unary("rsqrt", x, [](auto v) { return 1 / std::sqrt(v); });
}
Tensor square(const Tensor& x) {
  return unary("square", x, [](auto v) { return v * v; });
}
Tensor sin(const Tensor& x) {
  return unary("sin", x, [](auto v) { return std::sin(v); });
}
Tensor cos(const Tensor& x) {
  return unary("cos", x, [](auto v) { return std::cos(v); });
}
Tensor tanh(const Tensor& x) {
  return unary("tanh", x, [](auto v) { return std::tanh(v); });
}
Tensor erf(const Tensor& x) {
  return unary("erf", x, [](auto v) { return std::erf(v); });
}
Tensor sigmoid(const Tensor& x) {
  return unary("sigmoid", x, [](auto v) { return logistic(v); });
}

// log(1 + eˣ) = max(x, 0) + log(1 + e^−|x|), which does not overflow.
Tensor softplus(const Tensor& x) {
  return unary("softplus", x, [](auto v) { return (v > 0 ? v : 0) + std::log1p(std::exp(-std::abs(v))); });
}

Tensor relu(const Tensor& x) {
  return unary_any(x, [](auto v) { return v < 0 ? decltype(v){0} : v; });  // NaN stays
}
Tensor leaky_relu(const Tensor& x, double slope) {
  return unary("leaky_relu", x, [slope](auto v) { return v > 0 ? v : static_cast<decltype(v)>(slope) * v; });
}
Tensor silu(const Tensor& x) {
  return unary("silu", x, [](auto v) { return v * logistic(v); });
}

Tensor gelu(const Tensor& x, Gelu form) {
  if (form == Gelu::erf)
    return unary("gelu", x, [](auto v) {
      using T = decltype(v);
      return v * T(0.5) * std::erfc(-v / std::numbers::sqrt2_v<T>);  // erfc keeps its digits far to the left
    });
  return unary("gelu", x, [](auto v) {
    using T = decltype(v);
    const T slope = std::sqrt(T(2) / std::numbers::pi_v<T>);
    return v * T(0.5) * (1 + std::tanh(slope * (v + T(0.044715) * v * v * v)));
  });
}

Tensor abs(const Tensor& x) {
  return unary_any(x, [](auto v) { return std::abs(v); });
}

Tensor clamp(const Tensor& x, double low, double high) {
  if (!(low <= high)) fail<ValueError>("clamp: the lower bound {} is not below the upper bound {}", low, high);
  if (x.dtype() == DType::i64)
    for (const double bound : {low, high})
      if (std::isfinite(bound)) to_whole("clamp", bound);
  return unary_any(x, [low, high](auto v) {
    using T = decltype(v);
    return v < low ? static_cast<T>(low) : v > high ? static_cast<T>(high) : v;
  });
}

Tensor is_nan(const Tensor& x) {
  return unary_any(x, [](auto v) { return kernels::is_nan_number(v); });
}

}  // namespace regard
