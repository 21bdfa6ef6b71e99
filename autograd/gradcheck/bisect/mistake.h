#pragma once

#include "autograd/gradcheck/bisect/bisect.h"
#include "autograd/gradcheck/bisect/recorded_run.h"

#include <optional>

namespace regard::bisecting {

// What is wrong with the gradient of the operand p.
std::string likely_mistake(const RecordedRun& run, std::size_t operation, std::size_t p);

// All derivatives of the result y of an operation with respect to one of its operands x: ∂y[n]/∂x[m] stands in row m
// and column n. A gradient is ∂x[m] = Σₙ g[n]·∂y[n]/∂x[m], so this table says for every part of a gradient whether it
// is right. Where nothing can be measured, as at an infinity, both are 0.
struct Derivatives {
  Variable x, y;
  Tensor measured = {}, by_rule = {};
};

// Tables are compared up to this part of their largest number: what measuring costs.
inline constexpr double tolerance_of_fits = 1e-5;
bool agree(const Tensor& a, const Tensor& b);
std::optional<double> ratio(const Tensor& a, const Tensor& b);  // the c for which b = c·a, if there is one

// What is missing, in words (terms.cpp). All is one fit: numbers u are wanted so that each row of one table is u times
// the row of another. They are worked out, and then looked for among products c·a·b of a few forms: inputs and result
// as they are, their squares, sines, what is left of 1, …
using Words = std::optional<std::string>;

// What the derivatives by the rule lack as a factor: "input 0", or "1/(the result)".
Words missing_factor(const Derivatives& d);

// A table as a term c·u·g, as sums c·u·Σ g·v over one axis each, or as several of these: "−the result·Σ g·the result
// over axis -1".
Words sum_of_terms(const Derivatives& d, const Tensor& table);

// A factor as people write it: "2", "−1/3"; or with the axis whose size it is: "1/3, where 3 is the size of axis 0 of
// the result". Roots are those of sizes only. Nothing for numbers such as 0.3712, which nobody would write by mistake.
Words as_written(double c, const Derivatives& d);

}  // namespace regard::bisecting
