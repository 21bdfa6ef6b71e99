#pragma once

#include "nn/attention/fused/fused_score.h"
#include "nn/attention/mask.h"
#include "tensor/random/generator.h"

namespace regard::nn {

struct FusedOptions {
  Variable parameters =
      {};  // of the score: of any shape that broadcasts to (Lk, D): (), (D) per feature, (Lk, 1) per key
  Mask mask = {};
  std::int64_t offset = 0;         // the position of the first query
  double dropout = 0;              // of weights
  Generator* generator = nullptr;  // from which dropout draws
};

// Attention that never holds all pairs: memory is linear in Lq and Lk, and gradients are computed from tiles too.
//
//   outputᵢ = Σⱼ softmaxⱼ(sᵢⱼ)·vⱼ        sᵢⱼ = score(qᵢ, kⱼ)        q (…, Lq, D), k (…, Lk, D), v (…, Lk, Dv)
//
// Masks that are ranges of keys (causal, lengths, windows) cost nothing, and what they hide is skipped; others are tables.
Variable fused_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                         const FusedOptions& options = {});

// Weights for pictures, before dropout, without holding all: those of a few queries, (…, queries, Lk); or a map (…, height,
// width) of all of them, whose rows are means over neighbouring queries; they sum to 1, or to less where some of these see nothing.
Tensor fused_weights(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                     const std::vector<std::int64_t>& queries, const FusedOptions& options = {});
Tensor fused_map(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v, std::int64_t height,
                 std::int64_t width, const FusedOptions& options = {});

// Its composed twin: the same from operations on all pairs, holding each of them.
Variable composed_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                            const FusedOptions& options = {});

}  // namespace regard::nn
