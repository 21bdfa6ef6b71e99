#pragma once

#include "autograd/variable.h"

namespace regard {

// Layer norm over the last axis of x (…, D), in one pass over memory:
//   (x − mean)/√(var + ε) · weight + bias          weight (D), bias (D)
Variable layer_norm(const Variable& x, const Variable& weight, const Variable& bias, double epsilon = 1e-5);
Variable layer_norm_composed(const Variable& x, const Variable& weight, const Variable& bias, double epsilon = 1e-5);

// RMS norm over the last axis of x (…, D), in one pass over memory:
//   x/√(mean(x²) + ε) · weight          weight (D)
Variable rms_norm(const Variable& x, const Variable& weight, double epsilon = 1e-6);
Variable rms_norm_composed(const Variable& x, const Variable& weight, double epsilon = 1e-6);

}  // namespace regard
