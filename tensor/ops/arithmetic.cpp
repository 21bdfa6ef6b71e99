#include "tensor/ops/arithmetic.h"

#include "tensor/create.h"
#include "tensor/loops/map.h"
#include "tensor/math/vector.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <cmath>

namespace regard {
namespace {

using loops::map;
using loops::map_broadcast;
using math::is_nan_number;

enum class Takes { any, floats };

// f(a, b); `f` is generic and sees two numbers of one type.
template <class F>
Tensor binary(const char* operation, const Tensor& a, const Tensor& b, F f, Takes takes = Takes::any) {
  require_same_dtype(operation, a, b);
  const Shape shape = broadcast(operation, a.shape(), b.shape());
  if (takes == Takes::floats) require_float(operation, a.dtype());
  return dispatch(a.dtype(), [&]<class T>(T) {
    return map_broadcast<T, T>(
        shape, [f](T x, T y) { return static_cast<T>(f(x, y)); }, a, b);
  });
}

// The number as a tensor, for the operations that are not worth a loop of their own.
Tensor like(const char* operation, const Tensor& x, double number) {
  if (x.dtype() == DType::i64) to_whole(operation, number);
  return full({}, number, x.dtype());
}

// f(x, number).
template <class F>
Tensor with_number(const char* operation, const Tensor& x, double number, F f, Takes takes = Takes::any) {
  if (takes == Takes::floats) require_float(operation, x.dtype());
  if (x.dtype() == DType::i64) to_whole(operation, number);
  return dispatch(x.dtype(), [&]<class T>(T) {
    return map<T, T>(x, [f, y = static_cast<T>(number)](T value) { return static_cast<T>(f(value, y)); });
  });
}

constexpr auto plus = [](auto x, auto y) { return x + y; };
constexpr auto minus = [](auto x, auto y) { return x - y; };
constexpr auto minus_reversed = [](auto x, auto y) { return y - x; };
constexpr auto times = [](auto x, auto y) { return x * y; };
constexpr auto over = [](auto x, auto y) { return x / y; };
constexpr auto over_reversed = [](auto x, auto y) { return y / x; };
constexpr auto power = [](auto x, auto y) { return std::pow(x, y); };
constexpr auto larger = [](auto x, auto y) { return x > y || is_nan_number(x) ? x : y; };
constexpr auto smaller = [](auto x, auto y) { return x < y || is_nan_number(x) ? x : y; };
constexpr auto left_over = []<class T>(T x, T y) -> T {
  T rest;
  if constexpr (std::is_floating_point_v<T>)
    rest = std::fmod(x, y);
  else
    rest = y == -1 ? 0 : x % y;  // the most negative number has no positive twin to be divided into
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;  // C++ gives the rest the sign of x
};
constexpr auto is_equal = [](auto x, auto y) { return x == y; };
constexpr auto is_not_equal = [](auto x, auto y) { return x != y; };
constexpr auto is_less = [](auto x, auto y) { return x < y; };
constexpr auto is_less_equal = [](auto x, auto y) { return x <= y; };

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) { return binary("add", a, b, plus); }
Tensor subtract(const Tensor& a, const Tensor& b) { return binary("subtract", a, b, minus); }
Tensor multiply(const Tensor& a, const Tensor& b) { return binary("multiply", a, b, times); }
Tensor divide(const Tensor& a, const Tensor& b) { return binary("divide", a, b, over, Takes::floats); }
Tensor pow(const Tensor& a, const Tensor& b) { return binary("pow", a, b, power, Takes::floats); }
Tensor maximum(const Tensor& a, const Tensor& b) { return binary("maximum", a, b, larger); }
Tensor minimum(const Tensor& a, const Tensor& b) { return binary("minimum", a, b, smaller); }

Tensor remainder(const Tensor& a, const Tensor& b) {
  if (b.dtype() == DType::i64 && any(equal(b, 0)).item() != 0)
    fail<ValueError>("remainder: a divisor is 0, and whole numbers have no remainder of that");
  return binary("remainder", a, b, left_over);
}

Tensor add(const Tensor& a, double b) { return with_number("add", a, b, plus); }
Tensor subtract(const Tensor& a, double b) { return with_number("subtract", a, b, minus); }
Tensor subtract(double a, const Tensor& b) { return with_number("subtract", b, a, minus_reversed); }
Tensor multiply(const Tensor& a, double b) { return with_number("multiply", a, b, times); }
Tensor divide(const Tensor& a, double b) { return with_number("divide", a, b, over, Takes::floats); }
Tensor divide(double a, const Tensor& b) { return with_number("divide", b, a, over_reversed, Takes::floats); }
Tensor maximum(const Tensor& a, double b) { return maximum(a, like("maximum", a, b)); }
Tensor minimum(const Tensor& a, double b) { return minimum(a, like("minimum", a, b)); }
Tensor remainder(const Tensor& a, double b) { return remainder(a, like("remainder", a, b)); }

Tensor pow(const Tensor& a, double b) {
  return b == 2 && is_float(a.dtype()) ? square(a) : pow(a, full({}, b, a.dtype()));
}

Tensor equal(const Tensor& a, const Tensor& b) { return binary("equal", a, b, is_equal); }
Tensor not_equal(const Tensor& a, const Tensor& b) { return binary("not_equal", a, b, is_not_equal); }
Tensor less(const Tensor& a, const Tensor& b) { return binary("less", a, b, is_less); }
Tensor less_equal(const Tensor& a, const Tensor& b) { return binary("less_equal", a, b, is_less_equal); }
Tensor greater(const Tensor& a, const Tensor& b) { return binary("greater", b, a, is_less); }
Tensor greater_equal(const Tensor& a, const Tensor& b) { return binary("greater_equal", b, a, is_less_equal); }

Tensor equal(const Tensor& a, double b) { return equal(a, like("equal", a, b)); }
Tensor not_equal(const Tensor& a, double b) { return not_equal(a, like("not_equal", a, b)); }
Tensor less(const Tensor& a, double b) { return less(a, like("less", a, b)); }
Tensor less_equal(const Tensor& a, double b) { return less_equal(a, like("less_equal", a, b)); }
Tensor greater(const Tensor& a, double b) { return greater(a, like("greater", a, b)); }
Tensor greater_equal(const Tensor& a, double b) { return greater_equal(a, like("greater_equal", a, b)); }

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  require_same_dtype("where", a, b);
  const Tensor choice = to(not_equal(condition, 0), a.dtype());
  const Shape shape = broadcast("where", choice.shape(), broadcast("where", a.shape(), b.shape()));
  return dispatch(a.dtype(), [&]<class T>(T) {
    return map_broadcast<T, T>(
        shape, [](T c, T x, T y) { return c != T{0} ? x : y; }, choice, a, b);
  });
}

Tensor where(const Tensor& condition, const Tensor& a, double b) { return where(condition, a, like("where", a, b)); }
Tensor where(const Tensor& condition, double a, const Tensor& b) { return where(condition, like("where", b, a), b); }

}  // namespace regard
