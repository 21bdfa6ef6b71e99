#pragma once

#include "autograd/variable.h"
#include "tensor/ops/softmax.h"

namespace regard {

// The verbs of tensor/ops/softmax.h, recorded.

Variable softmax(const Variable& x, int axis);
Variable log_softmax(const Variable& x, int axis);

}  // namespace regard
