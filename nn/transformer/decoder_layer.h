#pragma once

#include "nn/transformer/layer.h"

namespace regard::nn {

// A layer of a decoder: each position looks at those before it, then at the output of an encoder, and then goes through
// the feed-forward part. Each of the three has its own residual. Without an encoder the second is left out.
//
// x (B, L, E), memory (B, Lk, E) → (B, L, E). The caller also gives the mask of the layer's own attention: as a rule
// causal().
struct DecoderLayer {
  AnyAttention attention;
  std::optional<AnyAttention> cross;
  AnyFeedForward feed_forward;
  Residual around_attention;
  std::optional<Residual> around_cross;
  Residual around_feed_forward;

  DecoderLayer(const AttentionMaker& attention, const LayerOptions& options, Generator& generator,
               std::int64_t number = 0);
  // With cross-attention.
  DecoderLayer(const AttentionMaker& attention, const AttentionMaker& cross, const LayerOptions& options,
               Generator& generator, std::int64_t number = 0);
  void visit(Visitor& v);

  LayerOutput operator()(const Variable& x, const Mask& mask = {}, const LayerCall& call = {}) {
    return (*this)(x, {}, mask, {}, call);
  }
  LayerOutput operator()(const Variable& x, const Variable& memory, const Mask& mask = {}, const Mask& memory_mask = {},
                         const LayerCall& call = {}) {
    return forward(without_padding(x, mask, call.position()), memory, mask, memory_mask, call);
  }
  // The same for x whose padding is 0: a stack sees to that once, before the first layer.
  LayerOutput forward(const Variable& x, const Variable& memory, const Mask& mask, const Mask& memory_mask,
                      const LayerCall& call);

 private:
  void require_memory(const Variable& memory) const;
};

}  // namespace regard::nn
