#pragma once

#include "tensor/tensor.h"

namespace regard {

// softmax(x)ᵢ = e^(xᵢ) / Σⱼ e^(xⱼ) along one axis. The largest element is subtracted first, which changes nothing but
// keeps e^x from overflowing. A line of nothing but −∞ gives NaN: no element is likelier than another.
Tensor softmax(const Tensor& x, int axis);

// log softmax(x)ᵢ = xᵢ − log Σⱼ e^(xⱼ), accurate where softmax has rounded to 0.
Tensor log_softmax(const Tensor& x, int axis);

// Given the gradient g of each result y, that of x:  yᵢ·(gᵢ − Σⱼ gⱼ·yⱼ),  and for log_softmax  gᵢ − e^(yᵢ)·Σⱼ gⱼ.
// Accurate also where one weight is nearly 1, and these are differences of nearly equal numbers.
Tensor softmax_gradient(const Tensor& gradient, const Tensor& y, int axis);
Tensor log_softmax_gradient(const Tensor& gradient, const Tensor& y, int axis);

}  // namespace regard
