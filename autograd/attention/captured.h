#pragma once

#include "autograd/variable.h"
#include "tensor/attention/dual.h"

// A score is a function of numbers of one pair. A Variable that it captures is a whole tensor, and would get no
// gradient from tiles. Arithmetic between the two exists here for one purpose: to say so in one line, where a compiler
// would list every operator that does not fit.
namespace regard::engine {

template <class T>
struct CapturedVariable {
  static_assert(sizeof(T) == 0,
                "a score or modifier uses a Variable that it captured: hand it over as a parameter, score([](auto q, "
                "auto k, auto parameter) { … }) with .parameters = variable, or as a number of pairs, modified(score, "
                "per_head(variable), [](auto s, auto i, auto j, auto h, auto number) { … })");
  static const auto& refuse(const auto& x) { return x; }
};

template <class X>
inline constexpr bool is_pack = false;
template <class T>
inline constexpr bool is_pack<Pack<T>> = true;
template <class X>
concept NumberOfAPair = is_pack<X> || AnyDual<X>;

// The same class for all types, so that the compiler says it once.
template <NumberOfAPair X>
using Refused = CapturedVariable<std::conditional_t<NumberOfAPair<X>, int, X>>;

template <NumberOfAPair X>
X operator+(const X& x, const Variable&) {
  return Refused<X>::refuse(x);
}
template <NumberOfAPair X>
X operator+(const Variable&, const X& x) {
  return Refused<X>::refuse(x);
}
template <NumberOfAPair X>
X operator-(const X& x, const Variable&) {
  return Refused<X>::refuse(x);
}
template <NumberOfAPair X>
X operator-(const Variable&, const X& x) {
  return Refused<X>::refuse(x);
}
template <NumberOfAPair X>
X operator*(const X& x, const Variable&) {
  return Refused<X>::refuse(x);
}
template <NumberOfAPair X>
X operator*(const Variable&, const X& x) {
  return Refused<X>::refuse(x);
}
template <NumberOfAPair X>
X operator/(const X& x, const Variable&) {
  return Refused<X>::refuse(x);
}
template <NumberOfAPair X>
X operator/(const Variable&, const X& x) {
  return Refused<X>::refuse(x);
}
template <NumberOfAPair X>
X maximum(const X& x, const Variable&) {
  return Refused<X>::refuse(x);
}
template <NumberOfAPair X>
X minimum(const X& x, const Variable&) {
  return Refused<X>::refuse(x);
}

}  // namespace regard::engine
