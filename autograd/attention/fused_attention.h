#pragma once

#include "autograd/attention/fused_score.h"
#include "tensor/attention/visible.h"
#include "tensor/random/generator.h"

namespace regard {

// A mask, worked out for scores of one shape: who sees whom, and what is added to their scores.
struct ResolvedMask {
  Visible visible = {};
  Variable bias = {};  // broadcasts to the scores; gradients flow to it; undefined if nothing is added
  // Which keys some query sees, and which queries see some key (seen_keys, seeing_queries); undefined: all. For callers
  // that replace the others by 0. Fused attention needs neither.
  Tensor seen = {}, seeing = {};
};

// A mask as a rule, for scores of any shape (…, Lq, Lk): nn::Mask is one. The first query stands at position `offset`.
using MaskRule = std::function<ResolvedMask(const Shape& scores, DType dtype, std::int64_t offset)>;

struct FusedOptions {
  // of the score: of any shape that broadcasts to k, (…, Lk, D), such as (), (D) per feature, (Lk, 1), (H, 1, D)
  Variable parameters = {};
  MaskRule mask = {};
  std::int64_t offset = 0;         // the position of the first query
  double dropout = 0;              // of weights
  Generator* generator = nullptr;  // from which dropout draws
};

// Attention that never holds all pairs: memory is linear in Lq and Lk, and gradients are computed from tiles too.
//
//   outputᵢ = Σⱼ softmaxⱼ(sᵢⱼ)·vⱼ        sᵢⱼ = score(qᵢ, kⱼ)        q (…, Lq, D), k (…, Lk, D), v (…, Lk, Dv)
//
// Masks that are ranges of keys (causal, lengths, windows) cost next to nothing, and what they hide is skipped; others
// are tables.
Variable fused_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                         const FusedOptions& options = {});

// The same, and log_sum = log Σⱼ e^sᵢⱼ of each row, (…, Lq), from which other softmaxes follow. A sink b, which takes
// weight but has no value, multiplies the output by σ(log_sum − b). Attention to two sets of keys is the sum of both
// outputs, weighted by softmax(log_sum₁, log_sum₂). A query that sees nothing has the log_sum −∞.
struct AttentionAndLogSum {
  Variable output, log_sum;
};
AttentionAndLogSum fused_attention_and_log_sum(const FusedScore& score, const Variable& q, const Variable& k,
                                               const Variable& v, const FusedOptions& options = {});

// The scores alone, (…, Lq, Lk), from operations on all pairs. Of the options only parameters and offset count.
Variable composed_scores(const FusedScore& score, const Variable& q, const Variable& k,
                         const FusedOptions& options = {});

// The twin of fused_attention: the same from operations on all pairs, holding each of them.
Variable composed_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                            const FusedOptions& options = {});

// Weights for pictures, before dropout, without holding all: those of a few queries, (…, queries, Lk).
Tensor fused_weights(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                     const std::vector<std::int64_t>& queries, const FusedOptions& options = {});

}  // namespace regard
