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
const X& refused(const X& x) {
  return CapturedVariable<std::conditional_t<NumberOfAPair<X>, int, X>>::refuse(x);
}

auto operator+(const NumberOfAPair auto& x, const Variable&) { return refused(x); }
auto operator+(const Variable&, const NumberOfAPair auto& x) { return refused(x); }
auto operator-(const NumberOfAPair auto& x, const Variable&) { return refused(x); }
auto operator-(const Variable&, const NumberOfAPair auto& x) { return refused(x); }
auto operator*(const NumberOfAPair auto& x, const Variable&) { return refused(x); }
auto operator*(const Variable&, const NumberOfAPair auto& x) { return refused(x); }
auto operator/(const NumberOfAPair auto& x, const Variable&) { return refused(x); }
auto operator/(const Variable&, const NumberOfAPair auto& x) { return refused(x); }
auto maximum(const NumberOfAPair auto& x, const Variable&) { return refused(x); }
auto minimum(const NumberOfAPair auto& x, const Variable&) { return refused(x); }

}  // namespace regard::engine
