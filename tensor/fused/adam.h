#pragma once

#include "tensor/tensor.h"

namespace regard {

// The numbers of a step of Adam.
struct AdamStep {
  double learning_rate = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;  // how slowly the two averages forget
  double epsilon = 1e-8;
  double weight_decay = 0;       // λ
  bool decoupled_decay = false;  // false: λ·w is added to the gradient (Adam); true: w shrinks by itself (AdamW)
};

// One step of Adam, t = 1, 2, …, in one pass. With g ← g + λ·w, or w ← w − α·λ·w if the decay is decoupled:
//   m ← β₁m + (1 − β₁)·g         v ← β₂v + (1 − β₂)·g²
//   w ← w − α·m̂/(√v̂ + ε),        m̂ = m/(1 − β₁ᵗ),  v̂ = v/(1 − β₂ᵗ)
// This is the one place where tensors change: w, m and v are overwritten where nobody else holds them, and replaced by
// new ones where somebody does, so that no other tensor ever does.
void adam_step(Tensor& w, Tensor& m, Tensor& v, const Tensor& gradient, std::int64_t t, const AdamStep& step);

}  // namespace regard
