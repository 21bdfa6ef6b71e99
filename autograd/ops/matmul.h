#pragma once

#include "autograd/variable.h"

namespace regard {

// The verbs of tensor/ops/matmul.h, recorded.

Variable matmul(const Variable& a, const Variable& b);
Variable bmm(const Variable& a, const Variable& b);
Variable outer(const Variable& a, const Variable& b);
Variable linear(const Variable& x, const Variable& weight, const Variable& bias = {});

}  // namespace regard
