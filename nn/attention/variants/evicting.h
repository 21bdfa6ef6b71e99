#pragma once

#include "nn/attention/masks/mask_resolve.h"
#include "nn/attention/multi_head.h"
#include "nn/attention/variants/local_global.h"
#include "tensor/compare.h"
#include "tensor/create.h"

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
    const AnyScore& compare = heads.attention.score.after_placing();
    if (!identical(compare(one, one, 0).value(), compare(one, one, 1).value()))
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
  // As it would be if all keys were still there: a token sees those before it and itself, unless it is padding.
  static void require_causal(const Mask& mask, const Variable& q, const AttentionCall& call) {
    if (call.begins.defined())
      fail<ValueError>("EvictingAttention: with a cache, sequences begin together: no `begins`");
    const auto fits = [&](std::int64_t, std::int64_t query, const KeyRange& sees) {
      return sees.first == 0 && sees.last == call.position() + query + 1;
    };
    if (!each_real_query_sees(mask, q, call.position(), fits))
      fail<ValueError>(
          "EvictingAttention: the mask {}: with a cache a token sees those before it and itself, as with "
          "Mask::causal(), besides padding on the right; other masks name keys by places that eviction changes",
          mask);
  }
};

}  // namespace regard::nn
