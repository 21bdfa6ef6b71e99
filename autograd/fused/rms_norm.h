#pragma once

#include "autograd/variable.h"

namespace regard {

// RMS norm over the last axis of x (…, D), in one pass over memory:
//   x/√(mean(x²) + ε) · weight          weight (D)
Variable rms_norm(const Variable& x, const Variable& weight, double epsilon = 1e-6);
Variable rms_norm_composed(const Variable& x, const Variable& weight, double epsilon = 1e-6);

}  // namespace regard
