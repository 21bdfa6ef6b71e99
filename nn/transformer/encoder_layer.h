#pragma once

#include "nn/transformer/layer.h"

namespace regard::nn {

// A layer of an encoder: each position looks at the others, and then all go through the same feed-forward part.
//
//   pre:   y = x + attention(norm(x))        z = y + feed_forward(norm(y))
//   post:  y = norm(x + attention(x))        z = norm(y + feed_forward(y))
//
// x (B, L, E) → (B, L, E). Any score will do:  EncoderLayer layer(ScaledDotProduct{}, {.model = 64, …}, generator);
// The call is that of its attention; weights are returned only if it asks for them.
struct EncoderLayer {
  AnyAttention attention;
  AnyFeedForward feed_forward;
  Residual around_attention, around_feed_forward;

  EncoderLayer(const AttentionMaker& attention, const LayerOptions& options, Generator& generator,
               std::int64_t number = 0);
  void visit(Visitor& v);

  LayerOutput operator()(const Variable& x, const Mask& mask = {}, const AttentionCall& call = {}) {
    return forward(without_padding(x, mask, position_in_layer(call)), mask, call);
  }
  // The same for x whose padding is 0: a stack sees to that once, before the first layer.
  LayerOutput forward(const Variable& x, const Mask& mask, const AttentionCall& call);
};

}  // namespace regard::nn
