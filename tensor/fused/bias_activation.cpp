#include "tensor/fused/bias_activation.h"

#include "tensor/loops/map.h"
#include "tensor/math/math.h"

#include <numbers>

namespace regard {
namespace {

using math::all;

// Each activation, and what becomes of a gradient g on its way back: g times the slope. They are the functions of
// pointwise.h, for a register full of f32 or one f64 (loops/registers.h).
struct Relu {
  static auto value(auto x) { return x < decltype(x){} ? decltype(x){} : x; }
  static auto gradient(auto g, auto x) { return x > decltype(x){} ? g : decltype(g){}; }  // 0·g would be NaN for g = ∞
};

// Beyond ±30 the slope of a gelu has been 1, or 0, for long.
template <class T>
T within_30(T x) {
  const T most = all<T>(30), least = all<T>(-30);
  return x > most ? most : x < least ? least : x;
}

// x·Φ(x):  Φ(x) + x·φ(x), with φ(x) = e^(−x²/2)/√(2π). Φ(x) = ½(1 + erf(x/√2)) would lose its digits far to the left,
// which (x·Φ(x))/x keeps.
struct GeluErf {
  static auto value(auto x) { return math::gelu(x); }
  template <class T>
  static T gradient(T g, T x) {
    const T inv_sqrt2pi = all<T>(std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2), tiny = all<T>(1e-18);
    x = within_30(x);
    const T share = math::gelu(x) / x, distribution = x * x < tiny ? all<T>(0.5) : share;
    return g * (distribution + x * inv_sqrt2pi * math::exp(-x * x / 2));
  }
};

// x·s with s = σ(z), z = c·(x + 0.044715x³):  s + x·s·(1 − s)·z′, z′ = c·(1 + 0.134145x²)
struct GeluTanh {
  static auto value(auto x) { return math::gelu_tanh(x); }
  template <class T>
  static T gradient(T g, T x) {
    const T c = all<T>(1.5957691216057308);  // 2·√(2/π)
    x = within_30(x);                        // x³ would overflow far out
    const T s = math::gelu_tanh_share(all<T>(1), x);
    return g * (s * (1 + x * (1 - s) * c * (1 + all<T>(0.134145) * x * x)));
  }
};

// x·σ(x):  σ + x·σ·(1 − σ)
struct Silu {
  static auto value(auto x) { return math::silu(x); }
  static auto gradient(auto g, auto x) {
    const auto s = math::sigmoid(x);
    return g * (s * (1 + x * (1 - s)));
  }
};

struct Tanh {
  static auto value(auto x) { return math::tanh(x); }
  static auto gradient(auto g, auto x) {
    const auto y = math::tanh(x);
    return g * (1 - y * y);
  }
};

struct Sigmoid {
  static auto value(auto x) { return math::sigmoid(x); }
  static auto gradient(auto g, auto x) {
    const auto y = math::sigmoid(x);
    return g * (y * (1 - y));
  }
};

// Calls body(A{}) with the struct of the activation.
template <class Body>
Tensor with(ActivationKind activation, Body body) {
  switch (activation) {
    case ActivationKind::relu: return body(Relu{});
    case ActivationKind::gelu: return body(GeluErf{});
    case ActivationKind::gelu_tanh: return body(GeluTanh{});
    case ActivationKind::silu: return body(Silu{});
    case ActivationKind::tanh: return body(Tanh{});
    case ActivationKind::sigmoid: break;
  }
  return body(Sigmoid{});
}

void require_bias(const Tensor& x, const Tensor& bias) {
  require_same_dtype("bias_activation", x, bias);
  if (broadcast("bias_activation", x.shape(), bias.shape()) != x.shape())
    fail<ShapeError>("bias_activation: a bias {} does not broadcast to {}", bias.shape(), x.shape());
}

}  // namespace

Tensor bias_activation(const Tensor& x, const Tensor& bias, ActivationKind activation) {
  require_bias(x, bias);
  return dispatch_float("bias_activation", x.dtype(), [&]<class T>(T) {
    return with(activation, [&]<class A>(A) {
      return loops::map_registers<T>(
          x.shape(), [](auto v, auto b) { return A::value(v + b); }, x, bias);
    });
  });
}

Tensor bias_activation_gradient(const Tensor& g, const Tensor& x, const Tensor& bias, ActivationKind activation) {
  require_bias(x, bias);
  return dispatch_float("bias_activation", x.dtype(), [&]<class T>(T) {
    return with(activation, [&]<class A>(A) {
      return loops::map_registers<T>(
          x.shape(), [](auto grad, auto v, auto b) { return A::gradient(grad, v + b); }, g, x, bias);
    });
  });
}

}  // namespace regard
