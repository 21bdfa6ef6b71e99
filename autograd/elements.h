#pragma once

#include "autograd/variable.h"

#include <cstdint>
#include <string>

namespace regard {

// For the tools that explain: single elements of a tensor, counted row by row, and numbers that sum it up.

double element_of(const Tensor& x, std::int64_t element);
Tensor only(const Tensor& like, std::int64_t element, double y);  // y at this element, else zeros
std::int64_t largest_of(const Tensor& x);                         // the element farthest from 0; NaN counts as that
double largest(const Tensor& x);                                  // of the absolute values; NaN if there is one

// Σ x², and its root, the length of all numbers taken as one vector. In f64: the square of 1e-25 is 0 in f32.
double sum_of_squares(const Tensor& x);
double length_of(const Tensor& x);

// Whether a is farther from 0 than b: the order in which contributions are listed. NaN is the farthest here, too.
bool is_larger(double a, double b);

// gradient · tangent, element by element. Where the tangent is 0 nothing moves, so a NaN there does not count.
Tensor shares_of(const Tensor& gradient, const Tensor& tangent);

// The formula of the operation that made x, with the numbers that led to this element: "0.5 · 2 = 1". Empty unless each
// element of the result is made of one element of each input.
std::string formula_with_numbers(const Variable& x, std::int64_t element);

}  // namespace regard
