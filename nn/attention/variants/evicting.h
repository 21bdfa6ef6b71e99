#pragma once

#include "nn/attention/multi_head.h"
#include "nn/attention/variants/local_global.h"
#include "tensor/compare.h"
#include "tensor/create.h"

#include <algorithm>

namespace regard::nn {

struct KeptKeys {
  std::int64_t first;   // the first tokens, which most queries look at when they need nothing
  std::int64_t window;  // a query's own token, and those just before it
};

// Attention whose cache does not grow (StreamingLLM): a query sees the first tokens and a window, and all keys that
// no later query will see leave the cache. That is exact: the outputs are those of attention with the mask alone, as
// in training, where the mask is a table of all pairs. Keys keep the positions at which they came, and are not turned
// again. With a cache sequences begin together, and the mask of a call is causal, with padding on the right at most:
// others, such as documents, name keys by places that eviction changes.
struct EvictingAttention {
  MultiHeadAttention heads;
  KeptKeys kept;

  EvictingAttention(AnyScore score, const MultiHeadOptions& o, const KeptKeys& keys, Generator& g)
      : heads(std::move(score), o, g), kept(keys) {
    heads.mask = heads.mask & local_global(kept.window, kept.first);
    const Variable one(ones({1, o.heads, 1, heads.w_q.weight.size(0) / o.heads}, o.dtype));
    const AnyScore& placed = heads.attention.score.of_placed();
    if (!identical(placed(one, one, 0).value(), placed(one, one, 1).value()))
      fail<ValueError>(
          "EvictingAttention: its score counts the keys before a query, and would not count those that are "
          "evicted: use one that places queries and keys, such as Rotary");
  }
  void visit(Visitor& v) { heads.visit(v); }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {}) {
    if (call.cache) require_causal(mask, q, call);
    const AttentionOutput made = heads(q, k, v, mask, call);
    if (call.cache) call.cache->as<KeyValueCache>().keep_ends(kept.first, kept.window - 1);
    return made;
  }

 private:
  static void require_causal(const Mask& mask, const Variable& q, const AttentionCall& call);
};

// As it would be if all keys were still there: a token sees those before it and itself, unless it is padding.
inline void EvictingAttention::require_causal(const Mask& mask, const Variable& q, const AttentionCall& call) {
  if (call.begins.defined()) fail<ValueError>("EvictingAttention: with a cache, sequences begin together: no `begins`");
  const std::int64_t sequences = q.rank() > 2 ? q.size(0) : 1, queries = q.size(-2), position = call.position();
  const Tensor real = mask.real(sequences, queries, q.dtype(), position);
  const ResolvedMask known = mask.resolve({sequences, 1, queries, position + queries}, q.dtype(), position);
  const Visible& visible = known.visible;
  bool fits = !visible.keep.defined() && !visible.own && !known.bias.defined();
  for (std::int64_t b = 0; b < sequences; ++b)
    for (std::int64_t i = 0; i < queries; ++i) {
      if (real.defined() && real.at({b, i, 0}) == 0) continue;
      const auto row = static_cast<std::size_t>(visible.per_sequence ? b * queries + i : i);
      const std::int64_t end = position + queries;
      const KeyRange sees = visible.ranges.empty() ? KeyRange{0, end} : visible.ranges[row];
      fits = fits && sees.first <= 0 && std::min(sees.last, end) == position + i + 1;
    }
  if (!fits)
    fail<ValueError>(
        "EvictingAttention: the mask {}: with a cache a token sees those before it and itself, as with "
        "Mask::causal(), besides padding on the right; other masks name keys by places that eviction changes",
        mask);
}

}  // namespace regard::nn
