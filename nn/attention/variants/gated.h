#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "nn/attention/multi_head.h"

namespace regard::nn {

enum class Gates {
  per_head,     // a number for each head
  per_feature,  // a number for each feature that a head brings
};

// Gated attention: what the heads bring is multiplied by gates, numbers between 0 and 1 that the query's token gives:
//   output = W_o·(heads(x) ⊙ σ(W_g·x + b_g))
// So a token that needs nothing from others can say so, where softmax would make it take something.
struct GatedAttention {
  MultiHeadAttention heads;
  Linear w_g;

  GatedAttention(AnyScore score, const MultiHeadOptions& o, Gates gates, Generator& g)
      : heads(std::move(score), o, g),
        w_g({.in = heads.w_q.weight.size(1),
             .out = gates == Gates::per_head ? heads.heads : heads.w_o.weight.size(1),
             .dtype = o.dtype},
            g) {}
  void visit(Visitor& v) {
    heads.visit(v);
    v("w_g", w_g);
  }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {}) {
    return heads(q, k, v, mask, call, [this](const Variable& mixed, const Variable& token) {
      return mixed * split_heads(sigmoid(w_g(token)), heads.heads);
    });
  }
};

}  // namespace regard::nn
