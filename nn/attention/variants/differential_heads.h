#pragma once

#include "autograd/ops/arithmetic.h"
#include "nn/attention/multi_head.h"
#include "nn/attention/variants/differential.h"
#include "nn/layers/norm.h"

namespace regard::nn {

// Differential attention as a layer has it (Ye and others, 2024): λ from four vectors, and what each head brings is
// normalised before W_o, as a difference of weights may be of any size:
//   headₕ = (1 − start)·RMS((softmax₁ − λ·softmax₂)·v)
// The factor makes gradients as large as they are in plain attention. Layer n = 0, 1, … starts at 0.8 − 0.6·e^(−0.3n).
// A head has queries and keys of 2D features, so there are half as many heads as elsewhere. `score` compares halves:
// positions go inside, Rotary(ScaledDotProduct{}). A cache then keeps keys that are not turned, and each step turns all
// of them. (Around DifferentialAttention, Rotary with interleaved pairs and the frequencies of a half twice gives the
// same, and a key is turned once.)
struct DifferentialHeads {
  MultiHeadAttention heads;
  RMSNorm norm;  // of a head's output; the same for all heads
  double start;

  DifferentialHeads(const AnyScore& score, const MultiHeadOptions& o, double from, Generator& g)
      : heads(DifferentialAttention(score, from,
                                    (o.head_size > 0 ? o.head_size : o.model / std::max<std::int64_t>(o.heads, 1)) / 2,
                                    g, o.dtype),
              o, g),
        norm({.size = heads.w_o.weight.size(1) / o.heads, .epsilon = 1e-5, .dtype = o.dtype}),
        start(from) {}

  void visit(Visitor& v) {
    heads.visit(v);
    v("norm", norm);
  }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {}) {
    return heads(q, k, v, mask, call,
                 [this](const Variable& mixed, const Variable&) { return norm(mixed) * (1 - start); });
  }
};

}  // namespace regard::nn
