#pragma once

#include "autograd/gradcheck/slopes.h"

namespace regard::gradchecks {

// The gradients of L for all real inputs, by the rules. `wanted` is the only input to require one, or −1 for all.
std::vector<Tensor> analytic_gradients(const Weighted& l, Layout layout, int wanted = -1);

// The gradients of c·f for all real inputs as functions of (inputs, c): what second order differentiates.
Functions gradient_function(const Function& f, std::size_t input_count);

// The gradients of L, element by element.
class ByRules {
 public:
  ByRules(const Weighted& l, Layout layout) : l_(l), layout_(layout), gradients_(analytic_gradients(l, layout)) {}

  double at(std::size_t input, std::int64_t element) const;

  // How much of it may be rounding in the rules: 30 times the deviation of four, computed with loose rounding. In
  // g − Σ g·w, where one weight w is all but 1, terms of size 50 may leave 2·10⁻¹² instead of 0. It is at most a
  // millionth of the largest gradient: more is no rounding, but a choice that falls the other way. It takes long, and
  // is computed for all elements when it is first asked for.
  double noise(std::size_t input, std::int64_t element);

 private:
  const Weighted& l_;
  Layout layout_;
  std::vector<Tensor> gradients_, noises_;
};

}  // namespace regard::gradchecks
