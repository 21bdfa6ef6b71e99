#pragma once

#include "nn/all.h"

namespace regard {

struct EncoderBlockOptions {
  std::int64_t width, heads;
  double dropout = 0;  // of what each part adds
};

// What transformers are stacked of:  y = x + attention(norm(x)), then y + hidden layer(norm(y)). Both parts see their
// input normalised and add to it ("pre-norm"), so gradients have a straight way back past them.
struct EncoderBlock {
  nn::LayerNorm norm_attention, norm_hidden;
  nn::MultiHeadAttention<nn::ScaledDotProduct> attention;
  nn::Linear up, down;
  nn::Dropout dropout;

  EncoderBlock(const EncoderBlockOptions& o, Generator& g)
      : norm_attention({.size = o.width}),
        norm_hidden({.size = o.width}),
        attention({}, {.model = o.width, .heads = o.heads}, g),
        up({.in = o.width, .out = 2 * o.width}, g),
        down({.in = 2 * o.width, .out = o.width}, g),
        dropout(o.dropout, g) {}

  void visit(nn::Visitor& v) {
    v("norm_attention", norm_attention);
    v("attention", attention);
    v("norm_hidden", norm_hidden);
    v("up", up);
    v("down", down);
    v("dropout", dropout);
  }

  // x (B, L, width) → the same shape, and the weights of all heads (B, H, L, L).
  nn::AttentionOutput operator()(const Variable& x, const Variable& head_mask = {}) {
    const Variable normed = norm_attention(x);
    const auto [mixed, weights] = attention(normed, normed, normed, {}, {.head_mask = head_mask});
    const Variable y = x + dropout(mixed);
    return {y + dropout(down(relu(up(norm_hidden(y))))), weights};
  }
};

}  // namespace regard
