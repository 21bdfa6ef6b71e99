#pragma once

#include "nn/attention/scores/scaled_dot_product.h"
#include "nn/transformer/layer.h"

namespace regard::nn {

// What a decoder is stacked of: each position looks at those before it, then at what an encoder has made of the source,
// and then goes through the feed-forward part. Each of the three stands in a residual of its own. Without an encoder
// the second is left out.
//
// x (B, L, E), memory (B, Lk, E) → (B, L, E). The mask of the layer's own attention is the caller's, too: it is
// causal() in all but special cases.
template <AnyScore S, AnyScore Cross = ScaledDotProduct>
struct DecoderLayer {
  MultiHeadAttention<S> attention;
  std::optional<MultiHeadAttention<Cross>> cross;
  FeedForward feed_forward;
  Residual around_attention;
  std::optional<Residual> around_cross;
  Residual around_feed_forward;

  DecoderLayer(S score, const LayerOptions& o, Generator& g)
      : attention(std::move(score), attention_options(o), g),
        feed_forward(make_feed_forward(o, g)),
        around_attention(make_residual(o, g)),
        around_feed_forward(make_residual(o, g)) {}

  // With cross-attention.
  DecoderLayer(S score, Cross cross_score, const LayerOptions& o, Generator& g) : DecoderLayer(std::move(score), o, g) {
    cross.emplace(std::move(cross_score), attention_options(o), g);
    around_cross = make_residual(o, g);
  }

  void visit(Visitor& v) {
    around_attention.visit("attention", v);
    v("attention", attention);
    if (cross) {
      around_cross->visit("cross", v);
      v("cross", cross);
    }
    around_feed_forward.visit("feed_forward", v);
    v("feed_forward", feed_forward);
  }

  LayerOutput operator()(const Variable& x, const Mask& mask = {}, const LayerCall& call = {}) {
    return (*this)(x, {}, mask, {}, call);
  }
  LayerOutput operator()(const Variable& x, const Variable& memory, const Mask& mask = {}, const Mask& memory_mask = {},
                         const LayerCall& call = {}) {
    const LayerMasks masks = resolve(x, memory, mask, memory_mask, call);
    return attend(without_padding(x, masks.self), memory, masks, call);
  }

  // The same in two steps, of which all layers of a stack share the first.
  struct LayerMasks {
    ResolvedMask self, cross;
  };
  LayerMasks resolve(const Variable& x, const Variable& memory, const Mask& mask, const Mask& memory_mask,
                     const LayerCall& call = {}) const {
    require_memory(memory);
    LayerMasks masks{attention.resolve(x, x, x, mask, self_call(call)), {}};
    if (cross) masks.cross = cross->resolve(x, memory, memory, memory_mask, cross_call(call));
    return masks;
  }
  // book: decoder_layer
  LayerOutput attend(const Variable& x, const Variable& memory, const LayerMasks& masks, const LayerCall& call = {}) {
    LayerOutput result;
    const MultiHeadCall to_memory = cross_call(call);  // before the layer's own cache moves on
    Variable y = around_attention(x, [&](const Variable& in) {
      const auto [mixed, weights] = attention.attend(in, in, in, masks.self, self_call(call));
      if (call.weights) result.weights.self = weights;
      return mixed;
    });
    if (cross)
      y = (*around_cross)(y, [&](const Variable& in) {
        const auto [mixed, weights] = cross->attend(in, memory, memory, masks.cross, to_memory);
        if (call.weights) result.weights.cross = weights;
        return mixed;
      });
    result.output = around_feed_forward(y, feed_forward);
    return result;
  }
  // book: /decoder_layer

 private:
  void require_memory(const Variable& memory) const {
    if (cross && !memory.defined())
      fail<ValueError>("DecoderLayer: it has cross-attention, and no memory of an encoder is given");
    if (!cross && memory.defined())
      fail<ValueError>("DecoderLayer: a memory {} is given, and it has no cross-attention", memory.shape());
  }
  static MultiHeadCall self_call(const LayerCall& call) {
    return {.head_mask = call.head_mask, .cache = call.cache ? &call.cache->self : nullptr, .weights = call.weights};
  }
  static MultiHeadCall cross_call(const LayerCall& call) {
    if (!call.cache) return {.weights = call.weights};
    return {.memory = &call.cache->cross, .offset = call.cache->self.length(), .weights = call.weights};
  }
};

}  // namespace regard::nn
