#pragma once

#include "autograd/recurrent/delta_rule.h"
#include "nn/attention/any_attention.h"
#include "nn/layers/linear.h"

namespace regard::nn {

// How the memory fades before a step.
enum class Fading {
  none,
  per_head,     // by a number
  per_feature,  // by a number for each feature of keys
};

struct DeltaAttentionOptions {
  std::int64_t model, heads;         // E, H
  std::int64_t head_size = 0;        // Dk, of a query and a key; 0: model/heads
  std::int64_t head_value_size = 0;  // Dv; 0: Dk
  bool corrects = true;              // the delta rule; false: what is written is added to what is there
  Fading fading = Fading::per_head;
  DType dtype = DType::f32;
};

// Attention without softmax: each head has a memory S (Dk, Dv) that learns a pair of key and value at each token, and
// is asked with the query; see autograd/recurrent/delta_rule.h. Keys and queries have length 1. The token decides:
//   β = σ(W_β·x + b_β)  how much of the pair is learned
//   a = σ(W_a·x + b_a)  how much of the memory stays; b_a begins with 4, so that 98 % of it does
//
// A token sees those before it and itself: the mask must say so, and may hide padding besides. In decoding the memory
// is all that is kept, so a token costs the same however long the text is.
struct DeltaAttention {
  std::int64_t heads;
  Linear w_q, w_k, w_v, w_o;
  std::optional<Linear> w_beta, w_decay;

  DeltaAttention(DeltaAttentionOptions options, Generator& generator);
  void visit(Visitor& v);

  // q, k, v (B, L, E): of the same tokens. The weights, if the call wants them and has no cache, say how much of each
  // value comes back: constants, which may be negative, and need not sum to 1.
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {});

 private:
  DeltaOptions rule_of(const Variable& x) const;
};

// What it remembers: S of each head, and how many tokens have been read.
struct DeltaMemory {
  Variable state = {};                  // (B, H, Dk, Dv); undefined before the first step
  std::int64_t next = 0;                // the position of the next token
  std::vector<std::int64_t> real = {};  // of each sequence, how many tokens were not padding

  std::int64_t length() const { return next; }
  std::int64_t position() const { return next; }
  void select(const Tensor& sequences);
};

}  // namespace regard::nn
