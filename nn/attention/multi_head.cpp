#include "nn/attention/multi_head.h"

#include "autograd/ops/view.h"

namespace regard::nn {

// book: definition
AttentionOutput MultiHeadAttention::definition(const Variable& q, const Variable& k, const Variable& v,
                                               const Mask& more) {
  const auto [mixed, weights] = attention(split_heads(w_q(q), heads), split_heads(w_k(k), key_value_heads),
                                          split_heads(w_v(v), key_value_heads), mask & more);
  return {w_o(merge_heads(mixed)), weights};
}
// book: /definition

AttentionOutput MultiHeadAttention::operator()(const Variable& q, const Variable& k, const Variable& v,
                                               const Mask& more, const AttentionCall& call, const Between& between) {
  if (q.rank() == 2) {
    const auto [output, weights] = (*this)(unsqueeze(q, 0), unsqueeze(k, 0), unsqueeze(v, 0), more, call, between);
    return {squeeze(output, 0), weights.defined() ? squeeze(weights, 0) : Variable()};
  }
  const ResolvedMask known = resolve_heads(mask & more, q, k, v, heads, call);
  const std::int64_t offset = call.offset_in_keys();  // before the cache grows
  const Variable seeing_q = pairs::without_blind_queries(q, known.seeing);
  const Variable queries = placed_queries(attention.score, split_heads(w_q(seeing_q), heads), call);
  const auto [keys, values] = keys_and_values(k, v, known, call);
  auto [mixed, weights] = attention.attend(queries, keys, values, known, offset, call.weights);
  if (between) mixed = between(mixed, seeing_q);
  return {w_o(merge_heads(masked_heads(mixed, call.head_mask))), weights};
}

// What the queries may look at: what is remembered, and what is made of k and v, unless all was made before.
KeysAndValues MultiHeadAttention::keys_and_values(const Variable& k, const Variable& v, const ResolvedMask& known,
                                                  const AttentionCall& call) {
  if (call.is_filled()) return remembered({}, known, call);
  const Variable clean_v = cleaned(v, known, call), clean_k = cleaned(k, known, call);
  const Variable keys = placed_keys(attention.score, split_heads(w_k(clean_k), key_value_heads), call);
  return remembered({keys, split_heads(w_v(clean_v), key_value_heads)}, known, call);
}

void MultiHeadAttention::visit(Visitor& v) {
  v("w_q", w_q);
  v("w_k", w_k);
  v("w_v", w_v);
  v("w_o", w_o);
  attention.visit(v);  // its score, dropout and method, without "attention." before their names
}

}  // namespace regard::nn
