#pragma once

#include "nn/module.h"

namespace regard::nn {

struct LayerNormOptions {
  std::int64_t size;  // D
  double epsilon = 1e-5;
  bool bias = true;  // without it β is 0
  DType dtype = DType::f32;
};

// y = γ·(x − μ)/√(σ² + ε) + β      x (…, D), weight γ (D), bias β (D)
//
// Mean μ and biased variance σ² are those of the D features of one position. Starts with γ = 1, β = 0.
struct LayerNorm {
  Variable weight, bias;  // the bias is undefined where the options say so
  double epsilon;

  explicit LayerNorm(const LayerNormOptions& options);
  void visit(Visitor& v) {
    v("weight", weight);
    v("bias", bias);
  }
  Variable operator()(const Variable& x) const;
};

struct RMSNormOptions {
  std::int64_t size;  // D
  double epsilon = 1e-6;
  DType dtype = DType::f32;
};

// y = γ·x/√(mean(x²) + ε)          x (…, D), weight γ (D)
//
// Layer norm without centring: only the length of x is set. Starts with γ = 1.
struct RMSNorm {
  Variable weight;
  double epsilon;

  explicit RMSNorm(const RMSNormOptions& options);
  void visit(Visitor& v) { v("weight", weight); }
  Variable operator()(const Variable& x) const;
};

}  // namespace regard::nn
