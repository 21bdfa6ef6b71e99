#include "nn/attention/multi_head.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "nn/layers/require.h"

#include <algorithm>

namespace regard::nn {
namespace {

std::int64_t or_default(std::int64_t given, std::int64_t fallback) { return given > 0 ? given : fallback; }

// With every size filled in.
MultiHeadOptions whole(MultiHeadOptions o) {
  require_positive("MultiHeadAttention", {{"model", o.model}, {"heads", o.heads}});
  require_positive_or_0("MultiHeadAttention", {{"key_value_heads", o.key_value_heads},
                                               {"head_size", o.head_size},
                                               {"head_value_size", o.head_value_size},
                                               {"query_size", o.query_size},
                                               {"key_size", o.key_size},
                                               {"value_size", o.value_size}});
  o.key_value_heads = or_default(o.key_value_heads, o.heads);
  if (o.head_size == 0 && o.model % o.heads != 0)
    fail<ValueError>("MultiHeadAttention: a model of {} does not divide into {} heads", o.model, o.heads);
  if (o.heads % o.key_value_heads != 0)
    fail<ValueError>("MultiHeadAttention: {} heads cannot share {} key-value heads evenly", o.heads, o.key_value_heads);
  o.head_size = or_default(o.head_size, o.model / o.heads);
  o.head_value_size = or_default(o.head_value_size, o.head_size);
  for (std::int64_t* size : {&o.query_size, &o.key_size, &o.value_size}) *size = or_default(*size, o.model);
  return o;
}

Shape scores_shape(const Variable& q, const Variable& k, const Variable& v, std::int64_t heads, std::int64_t before) {
  const Shape scores = pairs::shape_of(q, k, v);
  if (q.size(0) != k.size(0))
    fail<ShapeError>("MultiHeadAttention: q {}, k {}: their sequences must be as many", q.shape(), k.shape());
  if (scores.rank() != 3) fail<ShapeError>("MultiHeadAttention: q {}: it must be (B, L, E) or (L, E)", q.shape());
  return {scores[0], heads, scores[1], before + scores[2]};
}

// Queries or keys x (B, H, L, D), placed by their positions, the first row at `position`. In each sequence these count
// from where it begins: so its numbers are those that it has alone, to the last bit. What is before stays as it is.
using Place = Variable (AnyScore::*)(const Variable& x, std::int64_t position) const;
Variable placed(const AnyScore& score, Place place, const Variable& x, std::int64_t position, const Tensor& begins) {
  if (!begins.defined()) return (score.*place)(x, position);
  if (begins.shape() != Shape{x.size(0)})
    fail<ShapeError>("MultiHeadAttention: begins {} for {} sequences: it must be (B)", begins.shape(), x.size(0));
  std::vector<Variable> sequences;
  for (std::int64_t b = 0; b < x.size(0); ++b) {
    const Variable one = slice(x, 0, b, b + 1);
    const auto begin = static_cast<std::int64_t>(begins.at({b}));
    const std::int64_t padding = std::clamp<std::int64_t>(begin - position, 0, x.size(2));
    sequences.push_back(
        cat({slice(one, 2, 0, padding), (score.*place)(slice(one, 2, padding), position + padding - begin)}, 2));
  }
  return cat(sequences, 0);
}

KeyValueCache* kept_by(const AttentionCall& call) {
  Cache* cache = call.memory ? call.memory : call.cache;
  return cache ? &cache->as<KeyValueCache>() : nullptr;
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(AnyScore score, const MultiHeadOptions& options, Generator& g)
    : MultiHeadAttention(whole(options), std::move(score), g) {}

MultiHeadAttention::MultiHeadAttention(const MultiHeadOptions& o, AnyScore score, Generator& g)
    : heads(o.heads),
      key_value_heads(o.key_value_heads),
      w_q({o.query_size, o.heads * o.head_size, o.qkv_bias.value_or(o.bias), o.dtype}, g),
      w_k({o.key_size, o.key_value_heads * o.head_size, o.qkv_bias.value_or(o.bias), o.dtype}, g),
      w_v({o.value_size, o.key_value_heads * o.head_value_size, o.qkv_bias.value_or(o.bias), o.dtype}, g),
      w_o({o.heads * o.head_value_size, o.model, o.bias, o.dtype}, g),
      attention(std::move(score), {.dropout = o.dropout, .seed = g.at(g.take(1)).first, .method = o.method}),
      mask(o.mask) {}

void MultiHeadAttention::visit(Visitor& v) {
  v("w_q", w_q);
  v("w_k", w_k);
  v("w_v", w_v);
  v("w_o", w_o);
  attention.visit(v);  // score, dropout
}

AttentionOutput MultiHeadAttention::operator()(const Variable& q, const Variable& k, const Variable& v,
                                               const Mask& more, const AttentionCall& call) {
  if (q.rank() == 2) {
    const auto [output, weights] = (*this)(unsqueeze(q, 0), unsqueeze(k, 0), unsqueeze(v, 0), more, call);
    return {squeeze(output, 0), weights.defined() ? squeeze(weights, 0) : Variable()};
  }
  const auto [mixed, weights] = each(q, k, v, more, call);
  return {joined(mixed), weights};
}

ResolvedMask MultiHeadAttention::resolve(const Variable& q, const Variable& k, const Variable& v, const Mask& more,
                                         const AttentionCall& call) const {
  return resolve_heads(mask & more, q, k, v, heads, call);
}

AttentionOutput MultiHeadAttention::each(const Variable& q, const Variable& k, const Variable& v, const Mask& more,
                                         const AttentionCall& call) {
  return each(q, k, v, resolve(q, k, v, more, call), call);
}

AttentionOutput MultiHeadAttention::each(const Variable& q, const Variable& k, const Variable& v,
                                         const ResolvedMask& known, const AttentionCall& call) {
  const AnyScore& score = attention.score;
  const std::int64_t offset = call.offset_in_keys();
  const auto place = [&](Place as, const Variable& x, std::int64_t position) {
    return placed(score, as, x, position, call.begins);
  };
  const Variable q_heads = split_heads(w_q(pairs::without_blind_queries(q, known.seeing)), heads);
  const Variable queries = place(&AnyScore::place_query, q_heads, call.position());
  const auto [keys, values] = with_remembered(
      k, v, known, call, [&](const Variable& new_k, const Variable& new_v, std::int64_t position) -> KeysAndValues {
        return {place(&AnyScore::place_key, split_heads(w_k(new_k), key_value_heads), position),
                split_heads(w_v(new_v), key_value_heads)};
      });
  const auto [mixed, weights] = attention.attend(queries, keys, values, known, offset, call.weights);
  return {masked_heads(mixed, call.head_mask), weights};
}

Variable MultiHeadAttention::joined(const Variable& mixed) const { return w_o(merge_heads(mixed)); }

void require_batches(const char* module, const Variable& q, const Variable& k, const Variable& v) {
  if (q.rank() != 3 || k.rank() != 3 || v.rank() != 3)
    fail<ShapeError>("{}: q {}, k {}, v {}: they must be (B, L, E); unsqueeze(x, 0) makes a batch of one sequence",
                     module, q.shape(), k.shape(), v.shape());
}

ResolvedMask resolve_heads(const Mask& mask, const Variable& q, const Variable& k, const Variable& v,
                           std::int64_t heads, const AttentionCall& call) {
  const Shape scores = scores_shape(q, k, v, heads, call.cache ? call.cache->length() : 0);
  return mask.resolve(scores, q.dtype(), call.offset_in_keys());
}

KeysAndValues with_remembered(const Variable& k, const Variable& v, const ResolvedMask& known,
                              const AttentionCall& call, const MakeKeysAndValues& make) {
  const auto real = [&](const Variable& x) { return pairs::without_unseen_keys(x, known.seen); };
  KeyValueCache* kept = kept_by(call);
  if (!kept) return make(real(k), real(v), 0);
  if (!call.memory || kept->length() == 0) {  // it keeps all: a later query may see what none sees now
    const auto [keys, values] = make(k, v, kept->position());
    kept->append(keys, values);
  }
  return {real(kept->keys), real(kept->values)};
}

Variable masked_heads(const Variable& mixed, const Variable& head_mask) {
  if (!head_mask.defined()) return mixed;
  const Shape& mask = head_mask.shape();
  const bool fits = mask == Shape{mixed.size(1)} || mask == Shape{mixed.size(0), mixed.size(1)};
  if (!fits)
    fail<ShapeError>("MultiHeadAttention: head_mask {} for {} heads: it must be (H) or (B, H)", mask, mixed.size(1));
  return mixed * unsqueeze(unsqueeze(head_mask, -1), -1);
}

// book: heads
Variable split_heads(const Variable& x, std::int64_t heads) {
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}

Variable merge_heads(const Variable& x) { return flatten(transpose(x, 1, 2), -2, -1); }
// book: /heads

}  // namespace regard::nn
