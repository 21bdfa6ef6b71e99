#pragma once

#include "nn/attention/heads.h"
#include "nn/attention/skeleton.h"
#include "nn/layers/linear.h"

namespace regard::nn {

struct MultiHeadOptions {
  std::int64_t model, heads;         // the heads share the model's width: D = model/heads
  std::int64_t key_value_heads = 0;  // grouped queries: fewer heads of keys and values; 0: `heads`
  std::int64_t query_size = 0, key_size = 0, value_size = 0;  // of what is put in; 0: `model`
  bool bias = true;
  double dropout = 0;
  DType dtype = DType::f32;
  Method method = Method::composed;
};

struct ProjectedHeads {
  Variable q, k, v;  // (B, H, L, D), and (B, G, L, D) for G key–value heads
};

// What multi-head attention does before and after its attention, whatever the score: projecting, cutting into heads,
// joining heads.
struct HeadProjections {
  std::int64_t heads, key_value_heads;
  Linear w_q, w_k, w_v, w_o;  // (H·D, query size), (G·D, key size), (G·D, value size), (model, H·D)

  HeadProjections(const MultiHeadOptions& options, Generator& generator);
  void visit(Visitor& v) {
    v("w_q", w_q);
    v("w_k", w_k);
    v("w_v", w_v);
    v("w_o", w_o);
  }

  Shape scores_shape(const Variable& q, const Variable& k, const Variable& v,
                     std::int64_t offset) const;  // (B, H, Lq, Lk)
  Variable project_queries(const Variable& q, const ResolvedMask& mask) const;
  // Those that are to be remembered may be seen later, so they are left alone if nobody sees them now.
  ProjectedHeads project_keys(const Variable& k, const Variable& v, const ResolvedMask& mask, bool remember) const;
  // With grouped queries H/G heads share keys and values, which are copied for each of them.
  ProjectedHeads for_all_heads(const ProjectedHeads& grouped) const;
  // Without a copy, where each head has one query: the H/G queries that share keys become queries of one head,
  // (B, H, 1, D) → (B, G, H/G, D).
  ProjectedHeads sharing_heads(const ProjectedHeads& grouped) const;
  Variable join(const Variable& mixed, const Variable& head_mask) const;
};

Variable with_batch(const Variable& x);                     // (L, E) → (1, L, E)
AttentionOutput without_batch(const AttentionOutput& one);  // drops that axis

}  // namespace regard::nn
