#pragma once

#include "tensor/attention/dual.h"

namespace regard::engine {

// f(x) ↦ (f(x), f′(x)·dx) for the functions of pack.h: a line for each, and all there is to add a function.

template <AnyDual X>
auto square(const X& x) {
  return chain(x, x.value * x.value, x.value + x.value);
}
template <AnyDual X>
auto abs(const X& x) {
  return chain(x, abs(x.value), sign(x.value));
}
template <AnyDual X>
auto relu(const X& x) {
  return chain(x, relu(x.value), decltype(x.value)::where_greater(x.value, 0, 1, 0));
}
// The larger number moves the result, or either of two that are equal by half.
template <AnyDual X, AnyDual Y>
auto maximum(const X& x, const Y& y) {
  using V = decltype(x.value);
  const V for_x = V::where_greater(x.value, y.value, 1, V::where_greater(y.value, x.value, 0, 0.5));
  return chain(x, y, maximum(x.value, y.value), for_x, 1 - for_x);
}
template <AnyDual X>
auto maximum(const X& x, std::type_identity_t<decltype(X::value)> c) {
  return maximum(x, dual(c, Zero{}, Zero{}, Zero{}));
}
template <AnyDual X>
auto minimum(const X& x, const auto& y) {
  return -maximum(-x, -y);
}
template <AnyDual X>
auto sqrt(const X& x) {
  const auto y = sqrt(x.value);
  return chain(x, y, 0.5 / y);
}
template <AnyDual X>
auto rsqrt(const X& x) {
  const auto y = rsqrt(x.value);
  return chain(x, y, -0.5 * y * y * y);
}
template <AnyDual X>
auto exp(const X& x) {
  const auto y = exp(x.value);
  return chain(x, y, y);
}
template <AnyDual X>
auto log(const X& x) {
  return chain(x, log(x.value), 1 / x.value);
}
template <AnyDual X>
auto tanh(const X& x) {
  const auto y = tanh(x.value);
  return chain(x, y, 1 - y * y);
}
template <AnyDual X>
auto sigmoid(const X& x) {
  const auto y = sigmoid(x.value);
  return chain(x, y, y * (1 - y));
}
template <AnyDual X>
auto softplus(const X& x) {
  return chain(x, softplus(x.value), sigmoid(x.value));
}
template <AnyDual X>
auto sin(const X& x) {
  return chain(x, sin(x.value), cos(x.value));
}
template <AnyDual X>
auto cos(const X& x) {
  return chain(x, cos(x.value), -sin(x.value));
}

}  // namespace regard::engine
