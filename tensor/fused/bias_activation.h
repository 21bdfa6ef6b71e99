#pragma once

#include "tensor/tensor.h"

namespace regard {

enum class ActivationKind { relu, gelu, gelu_tanh, silu, tanh, sigmoid };

// y = activation(x + bias), for bias of shape (D) or any other that broadcasts to the shape of x, in one pass.
Tensor bias_activation(const Tensor& x, const Tensor& bias, ActivationKind activation);

// The gradient of Σ g·y with respect to x + bias:  g · activation′(x + bias). Summed down to the shape of the bias it
// is also that of the bias.
Tensor bias_activation_gradient(const Tensor& g, const Tensor& x, const Tensor& bias, ActivationKind activation);

}  // namespace regard
