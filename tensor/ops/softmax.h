#pragma once

#include "tensor/tensor.h"

namespace regard {

// softmax(x)ᵢ = e^(xᵢ) / Σⱼ e^(xⱼ) along one axis. The largest element is subtracted first, which changes nothing but
// keeps e^x from overflowing. A line of nothing but −∞ gives NaN: no element is likelier than another.
Tensor softmax(const Tensor& x, int axis);

// log softmax(x)ᵢ = xᵢ − log Σⱼ e^(xⱼ), accurate where softmax has rounded to 0.
Tensor log_softmax(const Tensor& x, int axis);

}  // namespace regard
