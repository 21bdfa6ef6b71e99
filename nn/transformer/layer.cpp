#include "nn/transformer/layer.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "tensor/create.h"
#include "tensor/view.h"

namespace regard::nn {

MultiHeadOptions attention_options(const LayerOptions& o) {
  return {.model = o.model,
          .heads = o.heads,
          .key_value_heads = o.key_value_heads,
          .bias = o.bias,
          .dropout = o.attention_dropout,
          .dtype = o.dtype,
          .method = o.method};
}

FeedForward make_feed_forward(const LayerOptions& o, Generator& g) {
  return FeedForward({.size = o.model, .hidden = o.hidden, .kind = o.feed_forward, .bias = o.bias, .dtype = o.dtype},
                     g);
}

Residual make_residual(const LayerOptions& o, Generator& g) {
  return {Norm({.size = o.model, .kind = o.norm, .epsilon = o.epsilon, .bias = o.bias, .dtype = o.dtype}),
          Dropout(o.dropout, g), o.placement};
}

Variable without_padding(const Variable& x, const ResolvedMask& mask) {
  if (!mask.real.defined()) return x;
  const Tensor real = reshape(mask.real, {mask.real.size(0), mask.real.size(-2), 1});  // (B, L, 1)
  return where(real, x, Variable(zeros({}, x.dtype())));
}

}  // namespace regard::nn
