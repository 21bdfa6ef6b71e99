#pragma once

#include "autograd/variable.h"
#include "tensor/fused/rotate_pairs.h"

namespace regard {

// x (…, D) with each pair of features turned by an angle of its own, of which cosine and sine (…, P) are given.
Variable rotate_pairs(const Variable& x, const Tensor& cosine, const Tensor& sine, PairLayout layout);

}  // namespace regard
