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
  const Variable real_q = pairs::without_blind_queries(q, known.seeing);
  const Variable queries = placed_queries(attention.score, split_heads(w_q(real_q), heads), call);
  KeysAndValues made;
  if (!call.is_filled()) {
    const Variable real_v = cleaned(v, known, call), real_k = cleaned(k, known, call);
    made.keys = placed_keys(attention.score, split_heads(w_k(real_k), key_value_heads), call);
    made.values = split_heads(w_v(real_v), key_value_heads);
  }
  const auto [keys, values] = remembered(made, known, call);
  auto [mixed, weights] = attention.attend(queries, keys, values, known, offset, call.weights);
  if (between) mixed = between(mixed, real_q);
  return {w_o(merge_heads(masked_heads(mixed, call.head_mask))), weights};
}

void MultiHeadAttention::visit(Visitor& v) {
  v("w_q", w_q);
  v("w_k", w_k);
  v("w_v", w_v);
  v("w_o", w_o);
  attention.visit(v);  // its score, dropout and method, without "attention." before their names
}

}  // namespace regard::nn
