#pragma once

#include "nn/transformer/encoder_layer.h"

namespace regard::nn {

// A layer of a decoder: as one of an encoder, but each position looks at those before it, and then at the output of an
// encoder, before it goes through the feed-forward part. Each of the three has its own residual. Without an encoder the
// second is left out.
//
// x (B, L, E), memory (B, Lk, E) → (B, L, E). The caller also gives the mask of the layer's own attention, as a rule
// causal(), and its call. In decoding, `of_memory` remembers keys and values of the memory.
struct DecoderLayer : EncoderLayer {
  std::optional<AnyAttention> cross;
  std::optional<Residual> around_cross;

  using EncoderLayer::EncoderLayer;
  // With cross-attention.
  DecoderLayer(const AttentionMaker& attention, const AttentionMaker& cross, const LayerOptions& options,
               Generator& generator, std::int64_t number = 0);
  void visit(Visitor& v);

  LayerOutput operator()(const Variable& x, const Mask& mask = {}, const AttentionCall& call = {}) {
    return (*this)(x, {}, mask, {}, call);
  }
  LayerOutput operator()(const Variable& x, const Variable& memory, const Mask& mask = {}, const Mask& memory_mask = {},
                         const AttentionCall& call = {}, Cache* of_memory = nullptr) {
    return forward(without_padding(x, mask, position_in_layer(call)), memory, mask, memory_mask, call, of_memory);
  }
  // The same for x whose padding is 0: a stack sees to that once, before the first layer.
  LayerOutput forward(const Variable& x, const Variable& memory, const Mask& mask, const Mask& memory_mask,
                      const AttentionCall& call, Cache* of_memory);

 private:
  void require_memory(const Variable& memory) const;
};

}  // namespace regard::nn
