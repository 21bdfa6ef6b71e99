#pragma once

#include "autograd/gradcheck/slopes.h"

namespace regard::gradchecks {

// The gradients of Σ c·f for all real inputs, by the rules. `wanted` is the only input to require one, or −1 for all.
std::vector<Tensor> analytic_gradients(const Functions& f, const std::vector<Tensor>& inputs,
                                       const std::vector<Tensor>& cotangents, Layout layout, int wanted = -1);

}  // namespace regard::gradchecks
