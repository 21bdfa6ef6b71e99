#pragma once

#include "tensor/tensor.h"

namespace regard {

// The weights of attention, in one pass: softmax(scale · x) along the last axis over the elements where `keep` is not
// 0, and 0 at all others. keep has the dtype of x and broadcasts to its shape. What is not kept has no part, whatever
// it is: NaN there reaches nothing. A row that keeps nothing is 0 throughout.
Tensor masked_softmax(const Tensor& x, double scale, const Tensor& keep);

// The gradient of Σ g·y, given g and y = masked_softmax(x, scale, keep). In each row, over the elements kept:
//   ∂x = scale · y·(g − Σ g·y).
Tensor masked_softmax_gradient(const Tensor& g, const Tensor& y, double scale, const Tensor& keep);

}  // namespace regard
