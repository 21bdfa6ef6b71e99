#pragma once

#include "tensor/tensor.h"

namespace regard {

// Layer norm of each row x of D numbers (the last axis), in one pass over memory:
//   y = x̂ · weight + bias,   x̂ = (x − μ)·r,   μ = mean(x),   r = 1/√(var(x) + ε)
// with the biased variance. weight and bias have shape (D).
struct LayerNormResult {
  Tensor y;            // (…, D)
  Tensor mean, scale;  // μ and r of each row, (…, 1): what the gradients need
};
LayerNormResult layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon = 1e-5);

// The gradients of a sum Σ g·y, given g. In a row, with h = g·weight:
//   ∂x = r·(h − mean(h) − x̂·mean(h·x̂)),   and over all rows   ∂weight = Σ g·x̂,   ∂bias = Σ g.
struct LayerNormGradients {
  Tensor x, weight, bias;
};
LayerNormGradients layer_norm_gradients(const Tensor& g, const Tensor& x, const Tensor& weight,
                                        const LayerNormResult& made);

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
