#pragma once

#include "tensor/tensor.h"

namespace regard {

struct NormResult {
  Tensor y;                 // (…, D)
  Tensor scale, mean = {};  // r and, of layer norm, μ of each row, (…, 1): what the gradients need
};
struct NormGradients {
  Tensor x, weight, bias = {};
};

// Layer norm of each row x of D numbers (the last axis), in one pass over memory:
//   y = x̂ · weight + bias,   x̂ = (x − μ)·r,   μ = mean(x),   r = 1/√(var(x) + ε)
// with the biased variance. weight and bias have shape (D).
NormResult layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon = 1e-5);

// The gradients of a sum Σ g·y, given g. In a row, with h = g·weight:
//   ∂x = r·(h − mean(h) − x̂·mean(h·x̂)),   and over all rows   ∂weight = Σ g·x̂,   ∂bias = Σ g.
NormGradients layer_norm_gradients(const Tensor& g, const Tensor& x, const Tensor& weight, const NormResult& made);

// RMS norm of each row x of D numbers (the last axis), in one pass over memory:
//   y = x̂ · weight,   x̂ = x·r,   r = 1/√(mean(x²) + ε)          weight (D)
NormResult rms_norm(const Tensor& x, const Tensor& weight, double epsilon = 1e-6);

// The gradients of a sum Σ g·y, given g. In a row, with h = g·weight:
//   ∂x = r·(h − x̂·mean(h·x̂)),   and over all rows   ∂weight = Σ g·x̂.
NormGradients rms_norm_gradients(const Tensor& g, const Tensor& x, const Tensor& weight, const NormResult& made);

}  // namespace regard
