#include "nn/attention/projections.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "nn/layers/require.h"
#include "tensor/ops/reduce.h"

namespace regard::nn {
namespace {

std::int64_t or_default(std::int64_t given, std::int64_t fallback) { return given > 0 ? given : fallback; }

std::int64_t require_groups(const MultiHeadOptions& o) {
  require_positive("MultiHeadAttention", {{"model", o.model}, {"heads", o.heads}});
  require_positive_or_0("MultiHeadAttention", {{"key_value_heads", o.key_value_heads},
                                               {"query_size", o.query_size},
                                               {"key_size", o.key_size},
                                               {"value_size", o.value_size}});
  const std::int64_t groups = or_default(o.key_value_heads, o.heads);
  if (o.model % o.heads != 0)
    fail<ValueError>("MultiHeadAttention: a model of {} does not divide into {} heads", o.model, o.heads);
  if (o.heads % groups != 0)
    fail<ValueError>("MultiHeadAttention: {} heads cannot share {} key-value heads evenly", o.heads, groups);
  return groups;
}

// (B, H, …) or with fewer axes → one that all heads share, for x (B, L, E): what any head may see.
Tensor any_head(const Tensor& keep) { return keep.defined() && keep.rank() == 4 ? max(keep, 1) : keep; }

}  // namespace

HeadProjections::HeadProjections(const MultiHeadOptions& o, Generator& g)
    : heads(o.heads),
      key_value_heads(require_groups(o)),
      w_q({or_default(o.query_size, o.model), o.model, o.bias, o.dtype}, g),
      w_k({or_default(o.key_size, o.model), o.model / heads * key_value_heads, o.bias, o.dtype}, g),
      w_v({or_default(o.value_size, o.model), o.model / heads * key_value_heads, o.bias, o.dtype}, g),
      w_o({o.model, o.model, o.bias, o.dtype}, g) {}

Shape HeadProjections::scores_shape(const Variable& q, const Variable& k, const Variable& v,
                                    std::int64_t offset) const {
  const Shape scores = pairs::shape_of(q, k, v);
  if (scores.rank() != 3) fail<ShapeError>("MultiHeadAttention: q {}: it must be (B, L, E) or (L, E)", q.shape());
  return {scores[0], heads, scores[1], offset + scores[2]};
}

// book: projections
// Before anything is multiplied with a row that is masked for good, 0 takes its place: the gradients of the projections
// would be poisoned by NaN there.
Variable HeadProjections::project_queries(const Variable& q, const ResolvedMask& mask) const {
  return split_heads(w_q(pairs::without_blind_queries(q, any_head(mask.seeing))), heads);
}

ProjectedHeads HeadProjections::project_keys(const Variable& k, const Variable& v, const ResolvedMask& mask,
                                             bool remember) const {
  const auto real = [&](const Variable& x) {
    return remember ? x : pairs::without_unseen_keys(x, any_head(mask.seen));
  };
  return {{}, split_heads(w_k(real(k)), key_value_heads), split_heads(w_v(real(v)), key_value_heads)};
}

ProjectedHeads HeadProjections::for_all_heads(const ProjectedHeads& grouped) const {
  const std::int64_t times = heads / key_value_heads;
  if (times == 1) return grouped;
  return {grouped.q, repeat_interleave(grouped.k, times, 1), repeat_interleave(grouped.v, times, 1)};
}

Variable HeadProjections::join(const Variable& mixed, const Variable& head_mask) const {
  if (!head_mask.defined()) return w_o(merge_heads(mixed));
  const bool per_sequence = head_mask.rank() == 2;
  if (head_mask.rank() < 1 || head_mask.rank() > 2 || head_mask.size(-1) != heads ||
      (per_sequence && head_mask.size(0) != mixed.size(0)))
    fail<ShapeError>("MultiHeadAttention: head_mask {} for {} heads: it must be (H) or (B, H)", head_mask.shape(),
                     heads);
  return w_o(merge_heads(mixed * unsqueeze(unsqueeze(head_mask, -1), -1)));
}
// book: /projections

ProjectedHeads HeadProjections::sharing_heads(const ProjectedHeads& grouped) const {
  const Shape& q = grouped.q.shape();
  return {reshape(grouped.q, {q[0], key_value_heads, heads / key_value_heads, q[3]}), grouped.k, grouped.v};
}

Variable with_batch(const Variable& x) { return unsqueeze(x, 0); }

AttentionOutput without_batch(const AttentionOutput& one) {
  return {squeeze(one.output, 0), one.weights.defined() ? squeeze(one.weights, 0) : Variable()};
}

}  // namespace regard::nn
