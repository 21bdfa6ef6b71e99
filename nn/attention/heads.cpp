#include "nn/attention/heads.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"

#include <algorithm>

namespace regard::nn {

// book: heads
Variable split_heads(const Variable& x, std::int64_t heads) {
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}

Variable merge_heads(const Variable& x) { return flatten(transpose(x, 1, 2), -2, -1); }
// book: /heads

namespace {

// `place` places one sequence or several, whose first row is at a position.
template <class Place>
Variable placed(const Tensor& begins, const Variable& x, std::int64_t position, const Place& place) {
  if (!begins.defined()) return place(x, position);
  if (begins.shape() != Shape{x.size(0)})
    fail<ShapeError>("MultiHeadAttention: begins {} for {} sequences: it must be (B)", begins.shape(), x.size(0));
  std::vector<Variable> sequences;
  for (std::int64_t b = 0; b < x.size(0); ++b) {
    const Variable one = slice(x, 0, b, b + 1);
    const auto begin = static_cast<std::int64_t>(begins.at({b}));
    const std::int64_t padding = std::clamp<std::int64_t>(begin - position, 0, x.size(2));
    sequences.push_back(cat({slice(one, 2, 0, padding), place(slice(one, 2, padding), position + padding - begin)}, 2));
  }
  return cat(sequences, 0);
}

}  // namespace

void require_batches(const char* module, const Variable& q, const Variable& k, const Variable& v) {
  if (q.rank() != 3 || k.rank() != 3 || v.rank() != 3)
    fail<ShapeError>("{}: q {}, k {}, v {}: they must be (B, L, E); unsqueeze(x, 0) makes a batch of one sequence",
                     module, q.shape(), k.shape(), v.shape());
}

ResolvedMask resolve_heads(const Mask& mask, const Variable& q, const Variable& k, const Variable& v,
                           std::int64_t heads, const AttentionCall& call) {
  const Shape pair = pairs::shape_of(q, k, v);
  if (q.size(0) != k.size(0))
    fail<ShapeError>("MultiHeadAttention: q {}, k {}: their sequences must be as many", q.shape(), k.shape());
  if (pair.rank() != 3) fail<ShapeError>("MultiHeadAttention: q {}: it must be (B, L, E) or (L, E)", q.shape());
  const std::int64_t before = call.cache ? call.cache->length() : 0;
  return mask.resolve({pair[0], heads, pair[1], before + pair[2]}, q.dtype(), call.offset_in_keys());
}

Variable placed_queries(const AnyScore& score, const Variable& x, const AttentionCall& call) {
  return placed(call.begins, x, call.position(), [&](const auto& y, auto at) { return score.place_query(y, at); });
}

Variable placed_keys(const AnyScore& score, const Variable& x, const AttentionCall& call) {
  return placed(call.begins, x, call.key_position(), [&](const auto& y, auto at) { return score.place_key(y, at); });
}

Variable cleaned(const Variable& x, const ResolvedMask& known, const AttentionCall& call) {
  return call.keeper() ? x : pairs::without_unseen_keys(x, known.seen);
}

KeysAndValues remembered(const KeysAndValues& made, const ResolvedMask& known, const AttentionCall& call) {
  if (!call.keeper()) return made;
  auto& kept = call.keeper()->as<KeyValueCache>();
  if (!call.is_filled()) kept.append(made.keys, made.values);
  return {pairs::without_unseen_keys(kept.keys, known.seen), pairs::without_unseen_keys(kept.values, known.seen)};
}

Variable masked_heads(const Variable& mixed, const Variable& head_mask) {
  if (!head_mask.defined()) return mixed;
  const Shape& mask = head_mask.shape();
  if (mask != Shape{mixed.size(1)} && mask != Shape{mixed.size(0), mixed.size(1)})
    fail<ShapeError>("MultiHeadAttention: head_mask {} for {} heads: it must be (H) or (B, H)", mask, mixed.size(1));
  return mixed * unsqueeze(unsqueeze(head_mask, -1), -1);
}

}  // namespace regard::nn
