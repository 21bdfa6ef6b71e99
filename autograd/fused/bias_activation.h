#pragma once

#include "autograd/variable.h"
#include "tensor/fused/bias_activation.h"

namespace regard {

// activation(x + bias), in one pass over memory.
Variable bias_activation(const Variable& x, const Variable& bias, ActivationKind activation);
Variable bias_activation_composed(const Variable& x, const Variable& bias, ActivationKind activation);

}  // namespace regard
