#include "tensor/fused/bias_activation.h"

#include "tensor/loops/map.h"
#include "tensor/math/math.h"

#include <numbers>

namespace regard {
namespace {

// Each activation, and what becomes of a gradient g on its way back: g times the slope. They are the functions of
// pointwise.h.
struct Relu {
  template <class T>
  static T value(T x) {
    return x < 0 ? 0 : x;
  }
  template <class T>
  static T gradient(T g, T x) {
    return x > 0 ? g : 0;  // and not 0·g, which would be NaN for g = ∞
  }
};

// x·Φ(x):  Φ(x) + x·φ(x), with φ(x) = e^(−x²/2)/√(2π). Φ(x) = ½(1 + erf(x/√2)) would lose its digits far to the left,
// which (x·Φ(x))/x keeps.
struct GeluErf {
  template <class T>
  static T value(T x) {
    return math::gelu(x);
  }
  template <class T>
  static T gradient(T g, T x) {
    constexpr T inv_sqrt2pi = std::numbers::inv_sqrtpi_v<T> * std::numbers::sqrt2_v<T> / 2;
    x = x > 30 ? 30 : x < -30 ? -30 : x;  // where the slope has been 1, or 0, for long
    const T share = math::gelu(x) / x, distribution = std::abs(x) < T(1e-9) ? T(0.5) : share;
    return g * (distribution + x * inv_sqrt2pi * math::exp(-x * x / 2));
  }
};

// x·s with s = σ(z), z = c·(x + 0.044715x³):  s + x·s·(1 − s)·z′, z′ = c·(1 + 0.134145x²)
struct GeluTanh {
  template <class T>
  static T value(T x) {
    return math::gelu_tanh(x);
  }
  template <class T>
  static T gradient(T g, T x) {
    constexpr T c = 1.5957691216057308;   // 2·√(2/π)
    x = x > 30 ? 30 : x < -30 ? -30 : x;  // where the slope has been 1, or 0, for long; x³ would overflow far out
    const T s = math::gelu_tanh_share(T(1), x);
    return g * (s * (1 + x * (1 - s) * c * (1 + T(0.134145) * x * x)));
  }
};

// x·σ(x):  σ + x·σ·(1 − σ)
struct Silu {
  template <class T>
  static T value(T x) {
    return math::silu(x);
  }
  template <class T>
  static T gradient(T g, T x) {
    const T s = math::sigmoid(x);
    return g * (s * (1 + x * (1 - s)));
  }
};

struct Tanh {
  template <class T>
  static T value(T x) {
    return math::tanh(x);
  }
  template <class T>
  static T gradient(T g, T x) {
    const T y = math::tanh(x);
    return g * (1 - y * y);
  }
};

struct Sigmoid {
  template <class T>
  static T value(T x) {
    return math::sigmoid(x);
  }
  template <class T>
  static T gradient(T g, T x) {
    const T y = math::sigmoid(x);
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
  return dispatch_float("bias_activation", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return with(activation, [&]<class A>(A) {
      return loops::map_broadcast<T, T>(
          x.shape(), [](T v, T b) -> T { return A::value(v + b); }, x, bias);
    });
  });
}

Tensor bias_activation_gradient(const Tensor& g, const Tensor& x, const Tensor& bias, ActivationKind activation) {
  require_bias(x, bias);
  return dispatch_float("bias_activation", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return with(activation, [&]<class A>(A) {
      return loops::map_broadcast<T, T>(
          x.shape(), [](T grad, T v, T b) -> T { return A::gradient(grad, v + b); }, g, x, bias);
    });
  });
}

}  // namespace regard
