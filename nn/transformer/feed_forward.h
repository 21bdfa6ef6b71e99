#pragma once

#include "nn/layers/linear.h"

namespace regard::nn {

enum class FeedForwardKind {
  relu,       // as in "Attention is all you need"
  gelu,       // x·Φ(x), as in BERT
  gelu_tanh,  // its approximation by tanh, as in GPT-2
  swiglu,     // one projection multiplied by another, silu(g)·u, as in Llama
  geglu,      // the same with gelu_tanh in place of silu, as in Gemma
  // As in gpt-oss: g·σ(1.702·g)·(u + 1) of projections g, no more than 7, and u, cut to ±7.
  clamped_swiglu,
};

struct FeedForwardOptions {
  std::int64_t size, hidden;  // E, F
  FeedForwardKind kind = FeedForwardKind::relu;
  bool bias = true;
  DType dtype = DType::f32;
};

// y = W_down·f(W_up·x + b_up) + b_down          x (…, E) → (…, E), through (…, F)
//
// What a transformer does to each position by itself, with the same weights for all. In most models F = 4E, so two
// thirds of a layer's weights are here.
//
// The last three kinds have a gate (Shazeer: "GLU variants improve transformer"):
//   y = W_down·(f(W_gate·x) ⊙ W_up·x), with a bias in each product if there are any
// One projection of x is multiplied by another, so a feature can shut another one off. There are three matrices in
// place of two; with F = 8E/3 instead of 4E they have as many weights.
struct FeedForward {
  FeedForwardKind kind;
  std::optional<Linear> gate;
  Linear up, down;

  FeedForward(const FeedForwardOptions& options, Generator& generator);
  void visit(Visitor& v) {
    v("gate", gate);
    v("up", up);
    v("down", down);
  }
  Variable operator()(const Variable& x) const;
};

}  // namespace regard::nn
