#pragma once

#include "tensor/tensor.h"

namespace regard {

// Element by element, with broadcasting: operands are aligned at the right and axes of size 1 are stretched.
// Both must have the same dtype; a plain number takes the tensor's. The integers i64 have no division.

Tensor add(const Tensor& a, const Tensor& b);       // a + b
Tensor subtract(const Tensor& a, const Tensor& b);  // a − b
Tensor multiply(const Tensor& a, const Tensor& b);  // a · b
Tensor divide(const Tensor& a, const Tensor& b);    // a / b
Tensor pow(const Tensor& a, const Tensor& b);       // aᵇ
Tensor maximum(const Tensor& a, const Tensor& b);   // NaN if either is NaN
Tensor minimum(const Tensor& a, const Tensor& b);

// a − b·⌊a/b⌋, what is left of a after whole steps of b. It has the sign of b, as in Python: remainder(−1, 3) is 2.
Tensor remainder(const Tensor& a, const Tensor& b);

Tensor add(const Tensor& a, double b);
Tensor subtract(const Tensor& a, double b);
Tensor subtract(double a, const Tensor& b);
Tensor multiply(const Tensor& a, double b);
Tensor divide(const Tensor& a, double b);
Tensor divide(double a, const Tensor& b);
Tensor pow(const Tensor& a, double b);
Tensor maximum(const Tensor& a, double b);
Tensor minimum(const Tensor& a, double b);
Tensor remainder(const Tensor& a, double b);

// Comparisons give 1 and 0 in the dtype of the operands, so that a mask can be multiplied. With NaN they are 0,
// except not_equal.
Tensor equal(const Tensor& a, const Tensor& b);
Tensor not_equal(const Tensor& a, const Tensor& b);
Tensor less(const Tensor& a, const Tensor& b);
Tensor less_equal(const Tensor& a, const Tensor& b);
Tensor greater(const Tensor& a, const Tensor& b);
Tensor greater_equal(const Tensor& a, const Tensor& b);

Tensor equal(const Tensor& a, double b);
Tensor not_equal(const Tensor& a, double b);
Tensor less(const Tensor& a, double b);
Tensor less_equal(const Tensor& a, double b);
Tensor greater(const Tensor& a, double b);
Tensor greater_equal(const Tensor& a, double b);

// The element of a where the condition is not 0, the one of b elsewhere. The condition may have any dtype.
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor where(const Tensor& condition, const Tensor& a, double b);
Tensor where(const Tensor& condition, double a, const Tensor& b);

inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return subtract(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return multiply(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return divide(a, b); }
inline Tensor operator+(const Tensor& a, double b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, double b) { return subtract(a, b); }
inline Tensor operator*(const Tensor& a, double b) { return multiply(a, b); }
inline Tensor operator/(const Tensor& a, double b) { return divide(a, b); }
inline Tensor operator+(double a, const Tensor& b) { return add(b, a); }
inline Tensor operator-(double a, const Tensor& b) { return subtract(a, b); }
inline Tensor operator*(double a, const Tensor& b) { return multiply(b, a); }
inline Tensor operator/(double a, const Tensor& b) { return divide(a, b); }
inline Tensor operator-(const Tensor& a) { return multiply(a, -1); }

}  // namespace regard
