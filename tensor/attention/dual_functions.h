#pragma once

#include "tensor/attention/dual.h"

namespace regard {

// f(x) ↦ (f(x), f′(x)·dx) for the functions of pack.h: a line for each, and all there is to add a function.

template <AnyDual X>
auto square(const X& x) {
  return chain(x, x.value * x.value, 2 * x.value);
}
template <AnyDual X>
auto abs(const X& x) {
  return chain(x, abs(x.value), sign(x.value));
}
template <AnyDual X>
auto relu(const X& x) {
  return chain(x, relu(x.value), decltype(x.value)::where_greater(x.value, 0, 1, 0));
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

}  // namespace regard
