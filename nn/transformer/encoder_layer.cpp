#include "nn/transformer/encoder_layer.h"

namespace regard::nn {

EncoderLayer::EncoderLayer(const AttentionMaker& maker, const LayerOptions& o, Generator& g, std::int64_t number)
    : attention(maker(number, o, g)),
      feed_forward(o.feed_forward(number, o, g)),
      around_attention(make_residual(o, g)),
      around_feed_forward(make_residual(o, g)) {}

void EncoderLayer::visit(Visitor& v) {
  around_attention.visit("attention", v);  // norm_attention, dropout_attention
  v("attention", attention);
  around_feed_forward.visit("feed_forward", v);
  v("feed_forward", feed_forward);
}

// book: layer
LayerOutput EncoderLayer::forward(const Variable& x, const Mask& mask, const AttentionCall& call) {
  LayerOutput result;
  const Variable y = around_attention(x, [&](const Variable& in) {
    const auto [mixed, weights] = attention(in, in, in, mask, call);
    if (call.weights) result.weights.self = weights;
    return mixed;
  });
  result.output = around_feed_forward(y, feed_forward);
  return result;
}
// book: /layer

}  // namespace regard::nn
