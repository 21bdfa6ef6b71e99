#pragma once

#include "autograd/ops/view.h"
#include "nn/attention/attention.h"
#include "nn/attention/heads.h"
#include "nn/attention/projections.h"

namespace regard::nn {

struct MultiHeadCall {
  Variable head_mask = {};         // (H) or (B, H): multiplies what each head contributes; gradients flow to it
  KeyValueCache* cache = nullptr;  // keys and values of earlier steps, to which this call adds its own
  // Keys and values that stay the same, such as those of an encoder: the first call projects them, the others find them
  // here, and k and v are not looked at.
  KeyValueCache* memory = nullptr;
  std::int64_t offset = 0;  // the position of the first query, where no cache says it
  bool weights = false;     // fused attention returns its weights, too: as constants, and computed in a pass of its own
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
    return attend(q, k, v, resolve(q, k, v, mask, call), call);
  }

  // The output alone, from tiles.
  Variable fused(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                 const MultiHeadCall& call = {}) requires Fusible<S> {
    if (q.rank() == 2) return squeeze(fused(with_batch(q), with_batch(k), with_batch(v), mask, call), 0);
    const ResolvedMask resolved = resolve(q, k, v, mask, call);
    const std::int64_t offset = first_position(call);
    const ProjectedHeads heads = projections.for_all_heads(project(q, k, v, resolved, call));
    return projections.join(attention.attend_fused(heads.q, heads.k, heads.v, resolved, offset), call.head_mask);
  }

  // The mask of such a call, worked out: layers on top of one another share it.
  ResolvedMask resolve(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                       const MultiHeadCall& call = {}) const {
    return mask.resolve(projections.scores_shape(q, k, v, call.cache ? call.cache->length() : 0), q.dtype(),
                        first_position(call));
  }
  AttentionOutput attend(const Variable& q, const Variable& k, const Variable& v, const ResolvedMask& mask,
                         const MultiHeadCall& call = {}) {
    const std::int64_t offset = first_position(call);
    const ProjectedHeads grouped = project(q, k, v, mask, call);
    if constexpr (BlindToPlaces<S>)
      if (can_share(grouped, mask, call)) {
        const ProjectedHeads shared = projections.sharing_heads(grouped);
        const Variable mixed = attention.attend_fused(shared.q, shared.k, shared.v, mask, offset);
        return {projections.join(reshape(mixed, grouped.q.shape()), call.head_mask), {}};
      }
    const ProjectedHeads heads = projections.for_all_heads(grouped);
    const auto [mixed, weights] = attention.attend(heads.q, heads.k, heads.v, mask, offset, call.weights);
    return {projections.join(mixed, call.head_mask), weights};
  }

 private:
  static std::int64_t first_position(const MultiHeadCall& call) {
    return call.cache ? call.cache->length() : call.offset;
  }

  ProjectedHeads project(const Variable& q, const Variable& k, const Variable& v, const ResolvedMask& mask,
                         const MultiHeadCall& call) {
    const Variable queries = placed(attention.score, projections.project_queries(q, mask), first_position(call));
    ProjectedHeads heads = keys_and_values(k, v, mask, call);
    heads.q = queries;
    return heads;
  }

  // As in writing: heads that share keys have one query each, and see all of them. While operations are recorded, the
  // gradients of a key would be added up in another order; whoever watches, or wants weights, is shown each head.
  bool can_share(const ProjectedHeads& grouped, const ResolvedMask& mask, const MultiHeadCall& call) const {
    return projections.heads > projections.key_value_heads && grouped.q.size(2) == 1 && mask.visible.is_everything() &&
           !mask.bias.defined() && attention.method == Method::fused && !call.weights && !is_recording() &&
           !attention_watch();
  }

  ProjectedHeads keys_and_values(const Variable& k, const Variable& v, const ResolvedMask& mask,
                                 const MultiHeadCall& call) {
    KeyValueCache* kept = call.memory ? call.memory : call.cache;
    if (call.memory && kept->length() > 0) return {{}, kept->keys, kept->values};
    ProjectedHeads heads = projections.project_keys(k, v, mask, kept != nullptr);
    heads.k = placed(attention.score, heads.k, call.cache ? call.cache->length() : 0);
    if (!kept) return heads;
    kept->append(heads.k, heads.v);
    return {{}, kept->keys, kept->values};
  }
};

}  // namespace regard::nn
