#pragma once

#include "autograd/variable.h"

namespace regard {

// The verbs of tensor/ops/arithmetic.h, recorded. Operands broadcast; a plain number takes the dtype of the Variable.

Variable add(const Variable& a, const Variable& b);
Variable subtract(const Variable& a, const Variable& b);
Variable multiply(const Variable& a, const Variable& b);
Variable divide(const Variable& a, const Variable& b);
Variable pow(const Variable& a, const Variable& b);
Variable maximum(const Variable& a, const Variable& b);
Variable minimum(const Variable& a, const Variable& b);
Variable remainder(const Variable& a, const Variable& b);

Variable add(const Variable& x, double d);
Variable subtract(const Variable& x, double d);
Variable subtract(double d, const Variable& x);
Variable multiply(const Variable& x, double c);
Variable divide(const Variable& x, double c);
Variable divide(double c, const Variable& x);
Variable pow(const Variable& x, double c);
Variable maximum(const Variable& x, double c);
Variable minimum(const Variable& x, double c);
Variable remainder(const Variable& x, double c);

Variable where(const Tensor& condition, const Variable& a, const Variable& b);
Variable where(const Tensor& condition, const Variable& a, double b);
Variable where(const Tensor& condition, double a, const Variable& b);

// A comparison of Variables is a Tensor: it says by its type that no gradient flows through it.
Tensor equal(const Variable& a, const Variable& b);
Tensor not_equal(const Variable& a, const Variable& b);
Tensor less(const Variable& a, const Variable& b);
Tensor less_equal(const Variable& a, const Variable& b);
Tensor greater(const Variable& a, const Variable& b);
Tensor greater_equal(const Variable& a, const Variable& b);

Tensor equal(const Variable& x, double c);
Tensor not_equal(const Variable& x, double c);
Tensor less(const Variable& x, double c);
Tensor less_equal(const Variable& x, double c);
Tensor greater(const Variable& x, double c);
Tensor greater_equal(const Variable& x, double c);

inline Variable operator+(const Variable& a, const Variable& b) { return add(a, b); }
inline Variable operator-(const Variable& a, const Variable& b) { return subtract(a, b); }
inline Variable operator*(const Variable& a, const Variable& b) { return multiply(a, b); }
inline Variable operator/(const Variable& a, const Variable& b) { return divide(a, b); }
inline Variable operator+(const Variable& x, double d) { return add(x, d); }
inline Variable operator-(const Variable& x, double d) { return subtract(x, d); }
inline Variable operator*(const Variable& x, double c) { return multiply(x, c); }
inline Variable operator/(const Variable& x, double c) { return divide(x, c); }
inline Variable operator+(double d, const Variable& x) { return add(x, d); }
inline Variable operator-(double d, const Variable& x) { return subtract(d, x); }
inline Variable operator*(double c, const Variable& x) { return multiply(x, c); }
inline Variable operator/(double c, const Variable& x) { return divide(c, x); }
inline Variable operator-(const Variable& x) { return multiply(x, -1); }

}  // namespace regard
