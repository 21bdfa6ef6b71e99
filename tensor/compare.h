#pragma once

#include "tensor/tensor.h"

namespace regard {

// Same shape, same dtype, the same bits in every element: NaN equals itself, 0 differs from −0.
bool identical(const Tensor& a, const Tensor& b);

// Same shape, and |a − b| ≤ absolute + relative·|b| everywhere; equal infinities and NaN with NaN are close.
bool allclose(const Tensor& a, const Tensor& b, double relative = 1e-5, double absolute = 1e-8);

// The largest |a − b| (the shapes must agree); infinity where only one of the two is finite. 0 for empty tensors.
double largest_difference(const Tensor& a, const Tensor& b);

}  // namespace regard
