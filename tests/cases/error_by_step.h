#pragma once

#include "tests/cases/case.h"

#include <vector>

namespace regard::cases {

// How far a slope measured over the step h, (L(x + h) − L(x − h)) / 2h, is off the gradient by the rules in f64. Two
// things make it so: the function bends, which costs bend·h², and its results are rounded, which costs rounding/h.
struct ErrorByStep {
  int order = 1;
  DType dtype = DType::f64;           // in which the function is computed
  std::vector<double> steps, errors;  // of all elements, root mean square, over that of the gradients
  double bend = 0, rounding = 0;      // read off the errors, where the one or the other is all that counts

  // Where the two together are least: the slope of bend·h² + rounding/h is 0 there. Needs both to be more than 0.
  double best_step() const;
};

// For orders 1 … `order`, in f64 and, where the case can be computed in f32, in that. Nothing for an order at which all
// gradients are 0.
std::vector<ErrorByStep> errors_by_step(const Case& row, int order, std::uint64_t seed);

}  // namespace regard::cases
