#pragma once

#include "nn/transformer/layer.h"

namespace regard::nn {

// What an encoder is stacked of: each position looks at the others, and then all go through the same feed-forward part.
//
//   pre:   y = x + attention(norm(x))        z = y + feed_forward(norm(y))
//   post:  y = norm(x + attention(x))        z = norm(y + feed_forward(y))
//
// x (B, L, E) → (B, L, E). Any score will do:  EncoderLayer layer(ScaledDotProduct{}, {.model = 64, …}, generator);
template <AnyScore S>
struct EncoderLayer {
  MultiHeadAttention<S> attention;
  FeedForward feed_forward;
  Residual around_attention, around_feed_forward;

  EncoderLayer(S score, const LayerOptions& o, Generator& g)
      : attention(std::move(score), attention_options(o), g),
        feed_forward(make_feed_forward(o, g)),
        around_attention(make_residual(o, g)),
        around_feed_forward(make_residual(o, g)) {}

  void visit(Visitor& v) {
    around_attention.visit("attention", v);  // norm_attention, dropout_attention
    v("attention", attention);
    around_feed_forward.visit("feed_forward", v);
    v("feed_forward", feed_forward);
  }

  LayerOutput operator()(const Variable& x, const Mask& mask = {}, const LayerCall& call = {}) {
    const ResolvedMask resolved = resolve(x, mask, call);
    return attend(without_padding(x, resolved), resolved, call);
  }

  // The same in two steps, of which all layers of a stack share the first.
  ResolvedMask resolve(const Variable& x, const Mask& mask, const LayerCall& call = {}) const {
    return attention.resolve(x, x, x, mask, {.cache = cache_of(call)});
  }
  // book: layer
  LayerOutput attend(const Variable& x, const ResolvedMask& mask, const LayerCall& call = {}) {
    LayerOutput result;
    const Variable y = around_attention(x, [&](const Variable& in) {
      const MultiHeadCall inner{.head_mask = call.head_mask, .cache = cache_of(call), .weights = call.weights};
      const auto [mixed, weights] = attention.attend(in, in, in, mask, inner);
      if (call.weights) result.weights.self = weights;
      return mixed;
    });
    result.output = around_feed_forward(y, feed_forward);
    return result;
  }
  // book: /layer

 private:
  static KeyValueCache* cache_of(const LayerCall& call) { return call.cache ? &call.cache->self : nullptr; }
};

}  // namespace regard::nn
