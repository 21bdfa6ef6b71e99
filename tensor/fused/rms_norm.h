#pragma once

#include "tensor/tensor.h"

namespace regard {

// RMS norm of each row x of D numbers (the last axis), in one pass over memory:
//   y = x̂ · weight,   x̂ = x·r,   r = 1/√(mean(x²) + ε)          weight (D)
struct RmsNormResult {
  Tensor y;      // (…, D)
  Tensor scale;  // r of each row, (…, 1): what the gradients need
};
RmsNormResult rms_norm(const Tensor& x, const Tensor& weight, double epsilon = 1e-6);

// The gradients of a sum Σ g·y, given g. In a row, with h = g·weight:
//   ∂x = r·(h − x̂·mean(h·x̂)),   and over all rows   ∂weight = Σ g·x̂.
struct RmsNormGradients {
  Tensor x, weight;
};
RmsNormGradients rms_norm_gradients(const Tensor& g, const Tensor& x, const Tensor& weight, const RmsNormResult& made);

}  // namespace regard
