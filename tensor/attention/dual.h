#pragma once

#include "tensor/attention/pack.h"

namespace regard::engine {

// Dual numbers: derivatives that are computed along with the value, in the same pass and by the same code.
//
// A Dual is four numbers: a value, and its slopes, which say how much the value changes when the query, the key or the
// parameter of a score changes. The query itself has the slopes (1, 0, 0), the key (0, 1, 0), the parameter (0, 0, 1).
// Each operation computes its value, and from the slopes of what goes in, by the chain rule, the slopes of what comes
// out:
//
//   (x, dx) and (y, dy)   →   (x + y, dx + dy)   (x·y, dx·y + x·dy)   (f(x), f′(x)·dx)
//
// So at the end of a formula stand its value and all three derivatives, exact but for rounding.
//
// Most slopes are 0: that of a key for the query, that of q + k for the parameter. The compiler may not leave out 0·x,
// since x could be NaN. So a slope that is always 0 has a type of its own, Zero, for which there is nothing to compute.
struct Zero {
  Zero() = default;
  explicit Zero(int) {}  // a seed of slopes that nobody asks for
  friend Zero operator+(Zero, Zero) { return {}; }
  friend Zero operator-(Zero, Zero) { return {}; }
  friend Zero operator-(Zero) { return {}; }
  friend auto operator+(Zero, auto x) { return x; }
  friend auto operator+(auto x, Zero) { return x; }
  friend auto operator-(Zero, auto x) { return -x; }
  friend auto operator-(auto x, Zero) { return x; }
  friend Zero operator*(auto, Zero) { return {}; }
};

template <class V, class Q, class K, class P>
struct Dual {
  V value;
  [[no_unique_address]] Q q;
  [[no_unique_address]] K k;
  [[no_unique_address]] P p;
  static constexpr bool is_dual = true;
};
template <class X>
concept AnyDual = X::is_dual;

template <class V, class Q, class K, class P>
Dual<V, Q, K, P> dual(V value, Q q, K k, P p) {
  return {value, q, k, p};
}

// A function of one number, of which the value and the slope at x are known.
template <class V, class Q, class K, class P>
auto chain(const Dual<V, Q, K, P>& x, std::type_identity_t<V> value, std::type_identity_t<V> slope) {
  return dual(value, slope * x.q, slope * x.k, slope * x.p);
}

// book: chain
// A function of two numbers x and y: the slopes for both are known.
template <class V, class Q1, class K1, class P1, class Q2, class K2, class P2>
auto chain(const Dual<V, Q1, K1, P1>& x, const Dual<V, Q2, K2, P2>& y, std::type_identity_t<V> value,
           std::type_identity_t<V> for_x, std::type_identity_t<V> for_y) {
  return dual(value, for_x * x.q + for_y * y.q, for_x * x.k + for_y * y.k, for_x * x.p + for_y * y.p);
}
// book: /chain

// Sums and products; what else a score may use is in dual_functions.h.
auto operator+(const AnyDual auto& x, const AnyDual auto& y) {
  return dual(x.value + y.value, x.q + y.q, x.k + y.k, x.p + y.p);
}
auto operator-(const AnyDual auto& x, const AnyDual auto& y) {
  return dual(x.value - y.value, x.q - y.q, x.k - y.k, x.p - y.p);
}
// book: product
template <class V, class Q1, class K1, class P1, class Q2, class K2, class P2>
auto operator*(const Dual<V, Q1, K1, P1>& x, const Dual<V, Q2, K2, P2>& y) {
  return chain(x, y, x.value * y.value, y.value, x.value);
}
// book: /product

}  // namespace regard::engine
