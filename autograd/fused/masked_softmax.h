#pragma once

#include "autograd/variable.h"

namespace regard {

// softmax(scale · x) along the last axis where keep is not 0, and 0 elsewhere; in one pass over memory.
Variable masked_softmax(const Variable& x, double scale, const Tensor& keep);
Variable masked_softmax_composed(const Variable& x, double scale, const Tensor& keep);

}  // namespace regard
