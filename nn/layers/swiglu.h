#pragma once

#include "nn/layers/linear.h"

namespace regard::nn {

struct SwiGLUOptions {
  std::int64_t size, hidden;  // E, F
  bool bias = false;
  DType dtype = DType::f32;
};

// y = W_down·(silu(W_gate·x) ⊙ W_up·x)          x (…, E) → (…, E), through (…, F)
//
// The feed-forward part of Llama (Shazeer: "GLU variants improve transformer"). One projection of x is multiplied by
// another, so a feature can shut another one off. It has three matrices where the usual part has two; with F = 8E/3
// instead of 4E both have as many weights.
struct SwiGLU {
  Linear gate, up, down;

  SwiGLU(const SwiGLUOptions& options, Generator& generator);
  void visit(Visitor& v) {
    v("gate", gate);
    v("up", up);
    v("down", down);
  }
  Variable operator()(const Variable& x) const;
};

}  // namespace regard::nn
