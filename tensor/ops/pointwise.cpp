#include "tensor/ops/pointwise.h"

#include "tensor/loops/map.h"
#include "tensor/math/math.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace regard {
namespace {

template <class F>
Tensor of_floats(const char* operation, const Tensor& x, F f) {
  return dispatch_float(operation, x.dtype(),
                        [&]<class T>(T) { return loops::map<T, T>(x, [f](T value) -> T { return f(value); }); });
}

// The same for functions of tensor/math.
template <class F>
Tensor by_registers(const char* operation, const Tensor& x, F f) {
  return dispatch_float(operation, x.dtype(), [&]<class T>(T) { return loops::map_registers<T>(x.shape(), f, x); });
}

template <class F>
Tensor of_any_type(const Tensor& x, F f) {
  return dispatch(x.dtype(), [&]<class T>(T) { return loops::map<T, T>(x, [f](T value) -> T { return f(value); }); });
}

// Angles beyond wide_angle, which are rare, are gone over a second time, one by one.
template <class F, class Wide>
Tensor of_angle(const char* operation, const Tensor& x, F f, Wide wide) {
  return dispatch_float(operation, x.dtype(), [&]<class T>(T) {
    const auto loop = [&](T* __restrict out, std::array<const T*, 1> in, std::int64_t count) {
      const T* x_in = in[0];
      int wide_ones = 0;
      for (std::int64_t i = 0; i < count; ++i) out[i] = f(x_in[i]);
      for (std::int64_t i = 0; i < count; ++i) wide_ones |= std::abs(x_in[i]) > math::wide_angle ? 1 : 0;
      for (std::int64_t i = 0; wide_ones && i < count; ++i)
        if (std::abs(x_in[i]) > math::wide_angle) out[i] = wide(x_in[i]);
    };
    return loops::map_loop<T, T>(x.shape(), loop, x);
  });
}

// A bound of clamp in the tensor's type, so that large whole numbers are compared exactly. Nothing is beyond an
// infinite one.
template <class T>
T bound_for(T, double bound) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>)
    if (!std::isfinite(bound)) return bound < 0 ? Limits::lowest() : Limits::max();
  return static_cast<T>(bound);
}

}  // namespace

Tensor exp(const Tensor& x) {
  return by_registers("exp", x, [](auto v) { return math::exp(v); });
}
Tensor log(const Tensor& x) {
  return by_registers("log", x, [](auto v) { return math::log(v); });
}
Tensor sqrt(const Tensor& x) {
  return of_floats("sqrt", x, [](auto v) { return std::sqrt(v); });
}
Tensor rsqrt(const Tensor& x) {
  return of_floats("rsqrt", x, [](auto v) { return 1 / std::sqrt(v); });
}
Tensor square(const Tensor& x) {
  return of_floats("square", x, [](auto v) { return v * v; });
}
Tensor sin(const Tensor& x) {
  return of_angle(
      "sin", x, [](auto v) { return math::sin(v); }, [](auto v) { return math::sin_wide(v); });
}
Tensor cos(const Tensor& x) {
  return of_angle(
      "cos", x, [](auto v) { return math::cos(v); }, [](auto v) { return math::cos_wide(v); });
}
Tensor tanh(const Tensor& x) {
  return by_registers("tanh", x, [](auto v) { return math::tanh(v); });
}
Tensor erf(const Tensor& x) {
  return by_registers("erf", x, [](auto v) { return math::erf(v); });
}
Tensor sigmoid(const Tensor& x) {
  return by_registers("sigmoid", x, [](auto v) { return math::sigmoid(v); });
}

Tensor softplus(const Tensor& x) {
  return by_registers("softplus", x, [](auto v) { return math::softplus(v); });
}

Tensor relu(const Tensor& x) {
  return of_any_type(x, [](auto v) { return v < 0 ? decltype(v){0} : v; });  // NaN stays
}
Tensor leaky_relu(const Tensor& x, double slope) {
  return of_floats("leaky_relu", x, [slope](auto v) { return v > 0 ? v : static_cast<decltype(v)>(slope) * v; });
}
Tensor silu(const Tensor& x) {
  return by_registers("silu", x, [](auto v) { return math::silu(v); });
}

Tensor gelu(const Tensor& x, GeluForm form) {
  if (form == GeluForm::tanh) return by_registers("gelu", x, [](auto v) { return math::gelu_tanh(v); });
  return by_registers("gelu", x, [](auto v) { return math::gelu(v); });
}

Tensor gelu_tanh_gradient(const Tensor& grad, const Tensor& x) {
  if (grad.shape() != x.shape())
    fail<ShapeError>("gelu_tanh_gradient: a gradient {} does not fit x {}", grad.shape(), x.shape());
  return dispatch_float("gelu_tanh_gradient", x.dtype(), [&]<class T>(T) {
    return loops::map_registers<T>(
        x.shape(), [](auto g, auto v) { return g * math::gelu_tanh_slope(v); }, grad, x);
  });
}

Tensor abs(const Tensor& x) {
  return of_any_type(x, [](auto v) { return std::abs(v); });
}

Tensor clamp(const Tensor& x, double low, double high) {
  if (!(low <= high)) fail<ValueError>("clamp: the lower bound {} is not below the upper bound {}", low, high);
  if (x.dtype() == DType::i64)
    for (const double bound : {low, high})
      if (std::isfinite(bound)) to_whole("clamp", bound);
  return of_any_type(x, [low, high](auto v) {
    const auto least = bound_for(v, low), most = bound_for(v, high);
    return v < least ? least : v > most ? most : v;
  });
}

Tensor is_nan(const Tensor& x) {
  return of_any_type(x, [](auto v) { return math::is_nan_number(v); });
}

}  // namespace regard
