#pragma once

#include "autograd/gradcheck/gradcheck.h"

#include <vector>

namespace regard::bisecting {

// Scores that are masked are −∞. Such a number cannot be moved, and ∞ − ∞ is NaN, so no slope is measured there. The
// numbers beside it can be judged all the same.

Tensor is_finite(const Tensor& x);    // 1 where x is a number, 0 where it is infinite or NaN
Tensor finite_part(const Tensor& x);  // 0 where x is not finite

// f as a function of the finite part of these inputs: what is not finite in them stays as it is, and what is not finite
// in the result counts as 0.
gradchecks::Function of_finite_part(gradchecks::Function f, std::vector<Variable> inputs);

}  // namespace regard::bisecting
