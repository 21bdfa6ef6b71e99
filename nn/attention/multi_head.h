#pragma once

#include "nn/attention/attention.h"
#include "nn/attention/heads.h"
#include "nn/attention/projections.h"

namespace regard::nn {

struct MultiHeadCall {
  Variable head_mask = {};         // (H) or (B, H): multiplies what each head contributes; gradients flow to it
  KeyValueCache* cache = nullptr;  // keys and values of earlier steps, to which this call adds its own
};

// H attentions side by side, each with its own view of queries, keys and values, and its own weights:
//
//   headₕ = attention(W_qʰ·q, W_kʰ·k, W_vʰ·v)        output = W_o·[head₁; …; head_H] + b
//
// Each W_·ʰ is a block of rows of one matrix: all heads are projected in one product, and cut apart after it. A head
// reads all features, and works with D = model/heads of its own, so more heads cost no more. The scale is that of D.
//
//   MultiHeadAttention heads(ScaledDotProduct{}, {.model = 256, .heads = 8}, generator);
//   auto [output, weights] = heads(x, x, x, Mask::causal());        // weights (B, H, Lq, Lk)
template <AnyScore S>
struct MultiHeadAttention {
  HeadProjections projections;
  Attention<S> attention;

  MultiHeadAttention(S score, const MultiHeadOptions& o, Generator& g)
      : projections(o, g),
        attention(std::move(score), {.dropout = o.dropout, .seed = g.at(g.take(1)).first, .method = o.method}) {}

  void visit(Visitor& v) {
    projections.visit(v);  // w_q, w_k, w_v, w_o
    attention.visit(v);    // score, dropout
  }

  // q (B, Lq, query size), k (B, Lk, key size), v (B, Lk, value size), or all without B.
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const MultiHeadCall& call = {}) {
    if (q.rank() == 2) return without_batch((*this)(with_batch(q), with_batch(k), with_batch(v), mask, call));
    const auto [resolved, heads, offset] = project(q, k, v, mask, call);
    const auto [mixed, weights] = attention.attend(heads.q, heads.k, heads.v, resolved, offset);
    return {projections.join(mixed, call.head_mask), weights};
  }

  // The output alone, from tiles.
  Variable fused(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                 const MultiHeadCall& call = {}) requires Fusible<S> {
    if (q.rank() == 2) return squeeze(fused(with_batch(q), with_batch(k), with_batch(v), mask, call), 0);
    const auto [resolved, heads, offset] = project(q, k, v, mask, call);
    return projections.join(attention.attend_fused(heads.q, heads.k, heads.v, resolved, offset), call.head_mask);
  }

 private:
  struct Projected {
    ResolvedMask mask;
    ProjectedHeads heads;
    std::int64_t offset;
  };
  Projected project(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                    const MultiHeadCall& call) {
    const std::int64_t offset = call.cache ? call.cache->length() : 0;
    const Shape scores = projections.scores_shape(q, k, v, offset);
    ResolvedMask resolved = mask.resolve(scores, q.dtype(), offset);
    const ProjectedHeads heads = projections.project(q, k, v, resolved, call.cache);
    return {std::move(resolved), heads, offset};
  }
};

}  // namespace regard::nn
