#pragma once

#include "tensor/attention/dual.h"

namespace regard::engine {

// The arithmetic that is not in dual.h: quotients, negation, and constants on one side.

template <class V, class Q1, class K1, class P1, class Q2, class K2, class P2>
auto operator/(const Dual<V, Q1, K1, P1>& x, const Dual<V, Q2, K2, P2>& y) {
  const V inverse = 1 / y.value, quotient = x.value * inverse;
  return chain(x, y, quotient, inverse, -quotient * inverse);
}

auto operator-(const AnyDual auto& x) { return dual(-x.value, -x.q, -x.k, -x.p); }
auto operator+(const AnyDual auto& x, decltype(x.value) c) { return dual(x.value + c, x.q, x.k, x.p); }
auto operator+(const auto& c, const AnyDual auto& x) { return x + c; }
auto operator-(const AnyDual auto& x, decltype(x.value) c) { return x + -c; }
auto operator-(const auto& c, const AnyDual auto& x) { return -x + c; }
auto operator*(const AnyDual auto& x, decltype(x.value) c) { return chain(x, x.value * c, c); }
auto operator*(const auto& c, const AnyDual auto& x) { return x * c; }
auto operator/(const AnyDual auto& x, decltype(x.value) c) { return x * (1 / c); }
auto operator/(const auto& c, const AnyDual auto& x) {
  const auto quotient = c / x.value;
  return chain(x, quotient, -quotient / x.value);
}

// f(x) ↦ (f(x), f′(x)·dx) for the functions of pack.h: a line for each, and all there is to add a function.

auto square(const AnyDual auto& x) { return chain(x, x.value * x.value, x.value + x.value); }
auto abs(const AnyDual auto& x) { return chain(x, abs(x.value), sign(x.value)); }
auto relu(const AnyDual auto& x) { return chain(x, relu(x.value), decltype(x.value)::where_greater(x.value, 0, 1, 0)); }
auto log(const AnyDual auto& x) { return chain(x, log(x.value), 1 / x.value); }
auto softplus(const AnyDual auto& x) { return chain(x, softplus(x.value), sigmoid(x.value)); }
auto sin(const AnyDual auto& x) { return chain(x, sin(x.value), cos(x.value)); }
auto cos(const AnyDual auto& x) { return chain(x, cos(x.value), -sin(x.value)); }
auto sqrt(const AnyDual auto& x) {
  const auto y = sqrt(x.value);
  return chain(x, y, 0.5 / y);
}
auto rsqrt(const AnyDual auto& x) {
  const auto y = rsqrt(x.value);
  return chain(x, y, -0.5 * y * y * y);
}
auto exp(const AnyDual auto& x) {
  const auto y = exp(x.value);
  return chain(x, y, y);
}
auto tanh(const AnyDual auto& x) {
  const auto y = tanh(x.value);
  return chain(x, y, 1 - y * y);
}
auto sigmoid(const AnyDual auto& x) {
  const auto y = sigmoid(x.value);
  return chain(x, y, y * (1 - y));
}

// The larger number moves the result, or either of two that are equal by half.
template <AnyDual X, AnyDual Y>
auto maximum(const X& x, const Y& y) {
  using V = decltype(x.value);
  const V for_x = V::where_greater(x.value, y.value, 1, V::where_greater(y.value, x.value, 0, 0.5));
  return chain(x, y, maximum(x.value, y.value), for_x, 1 - for_x);
}
auto maximum(const AnyDual auto& x, decltype(x.value) c) { return maximum(x, dual(c, Zero{}, Zero{}, Zero{})); }
auto minimum(const AnyDual auto& x, const auto& y) { return -maximum(-x, -y); }

}  // namespace regard::engine
