#include "nn/transformer/decoder_layer.h"

namespace regard::nn {

DecoderLayer::DecoderLayer(const AttentionMaker& maker, const AttentionMaker& cross_maker, const LayerOptions& o,
                           Generator& g, std::int64_t number)
    : EncoderLayer(maker, o, g, number) {
  cross = cross_maker(number, o, g);
  around_cross = make_residual(o, g);
}

void DecoderLayer::visit(Visitor& v) {
  around_attention.visit("attention", v);
  v("attention", attention);
  if (cross) {
    around_cross->visit("cross", v);
    v("cross", cross);
  }
  around_feed_forward.visit("feed_forward", v);
  v("feed_forward", feed_forward);
}

// book: decoder_layer
LayerOutput DecoderLayer::forward(const Variable& x, const Variable& memory, const Mask& mask, const Mask& memory_mask,
                                  const AttentionCall& call, Cache* of_memory) {
  require_memory(memory);
  LayerOutput result;
  // Made before the layer's own cache moves on.
  const AttentionCall to_memory{.memory = of_memory, .offset = call.position(), .weights = call.weights};
  Variable y = around_attention(x, [&](const Variable& in) {
    const auto [mixed, weights] = attention(in, in, in, mask, call);
    if (call.weights) result.weights.self = weights;
    return mixed;
  });
  if (cross)
    y = (*around_cross)(y, [&](const Variable& in) {
      const auto [mixed, weights] = (*cross)(in, memory, memory, memory_mask, to_memory);
      if (call.weights) result.weights.cross = weights;
      return mixed;
    });
  result.output = around_feed_forward(y, feed_forward);
  return result;
}
// book: /decoder_layer

void DecoderLayer::require_memory(const Variable& memory) const {
  if (cross && !memory.defined())
    fail<ValueError>("DecoderLayer: it has cross-attention, and no memory of an encoder is given");
  if (!cross && memory.defined())
    fail<ValueError>("DecoderLayer: a memory {} is given, and it has no cross-attention", memory.shape());
}

}  // namespace regard::nn
