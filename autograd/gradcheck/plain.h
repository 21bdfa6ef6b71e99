#pragma once

#include "autograd/backward.h"
#include "autograd/elements.h"
#include "autograd/gradcheck/gradcheck.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>

namespace regard::gradchecks {

// The check that all others in this folder stand for: one step, one order, no doubts. The gradient of L = Σ c·f, by the
// rules, beside the slope of L between two points close to the inputs, which are f64:
//
//   ∂L/∂xᵢ ≈ (L(x + h·eᵢ) − L(x − h·eᵢ)) / 2h     eᵢ: 1 at i, and 0 elsewhere
//
// Returns how far the two are apart, relative to the larger, for the element where that is worst. It blames a right
// gradient where rounding, or a bend, is more than it expects, and does not see that a gradient of 0 tests nothing:
// that is what the other files are for (gradcheck.h).
inline double plain_gradcheck(const Function& f, const std::vector<Tensor>& inputs, const Tensor& c, double h = 6e-6) {
  const auto leaves_of = [](const std::vector<Tensor>& list) {
    std::vector<Variable> leaves;
    for (const Tensor& x : list) leaves.push_back(parameter(x));
    return leaves;
  };
  const std::vector<Variable> leaves = leaves_of(inputs);
  const std::vector<Variable> by_rules = grad({f(leaves)}, leaves, {.gradients = {c}});
  double worst = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::int64_t n = 0; n < inputs[i].numel(); ++n) {
      const auto loss_at = [&](double step) {  // L, where one element has moved
        std::vector<Tensor> moved = inputs;
        moved[i] = inputs[i] + only(inputs[i], n, step);
        return sum(c * f(leaves_of(moved)).value()).item();
      };
      const double rule = element_of(by_rules[i].value(), n), slope = (loss_at(h) - loss_at(-h)) / (2 * h);
      worst = std::max(worst, std::abs(rule - slope) / std::max({std::abs(rule), std::abs(slope), 1e-12}));
    }
  return worst;
}

}  // namespace regard::gradchecks
