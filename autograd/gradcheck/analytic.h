#pragma once

#include "autograd/gradcheck/slopes.h"

namespace regard::gradchecks {

// The gradients of L for all real inputs, by the rules. `wanted` is the only input to require one, or −1 for all.
std::vector<Tensor> analytic_gradients(const Weighted& l, Layout layout, int wanted = -1);

// The gradients of c·f for all real inputs as functions of (inputs, c): what second order differentiates.
Functions gradient_function(const Function& f, std::size_t input_count);

// How much of these gradients may be rounding on their own way: 30 times the deviation of four, computed with loose
// rounding. In g − Σ g·w, where one weight w is all but 1, terms of size 50 may leave 2·10⁻¹² instead of 0. It is at
// most a millionth of the largest gradient: more is no rounding, but a choice that falls the other way.
std::vector<Tensor> gradient_noise(const Weighted& l, Layout layout);

}  // namespace regard::gradchecks
