#pragma once

#include "autograd/variable.h"

namespace regard {

// The loss of Nadaraya–Watson regression with a Gaussian kernel over points x with values y, all (n), and a w for each
// key, (n), or one w for all, ():
//
//   Σᵢ (ŷᵢ − yᵢ)²/n        ŷᵢ = Σⱼ αᵢⱼ·yⱼ        α = softmaxⱼ −((xᵢ − xⱼ)·wⱼ)²/2
//
// in one pass over all pairs that gives the loss and its gradient for w. x and y are data: they get no gradient. With
// leave_one_out a point has no part in its own prediction.
Variable regression_loss(const Tensor& x, const Tensor& y, const Variable& w, bool leave_one_out);

}  // namespace regard
