#include "nn/transformer/layer.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "nn/attention/masks/mask_resolve.h"
#include "nn/attention/multi_head.h"

namespace regard::nn {

AnyAttention AttentionMaker::around(AnyScore score, const LayerOptions& o, Generator& g) {
  return MultiHeadAttention(std::move(score),
                            {.model = o.model,
                             .heads = o.heads,
                             .key_value_heads = o.key_value_heads,
                             .head_size = o.head_size,
                             .bias = o.bias,
                             .dropout = o.attention_dropout,
                             .dtype = o.dtype,
                             .method = o.method},
                            g);
}

FeedForwardMaker::FeedForwardMaker(FeedForwardKind kind)
    : make_([kind](std::int64_t, const LayerOptions& o, Generator& g) {
        return FeedForward({.size = o.model, .hidden = o.hidden, .kind = kind, .bias = o.bias, .dtype = o.dtype}, g);
      }) {}

Norm::Norm(const LayerOptions& o) {
  if (o.norm == NormKind::layer)
    layer = LayerNorm({.size = o.model, .epsilon = o.epsilon, .bias = o.bias, .dtype = o.dtype});
  else
    rms = RMSNorm({.size = o.model, .epsilon = o.epsilon, .dtype = o.dtype});
}

Residual make_residual(const LayerOptions& o, Generator& g) {
  Residual around{Norm(o), Dropout(o.dropout, g), o.placement};
  if (o.placement == NormPlacement::both) around.after = Norm(o);
  return around;
}

std::int64_t position_in_layer(const AttentionCall& call) {
  if (call.memory)
    fail<ValueError>(
        "a layer: .memory is for keys that stay the same, and those of its own attention do not: give it a .cache (a "
        "DecoderLayer takes the one for its encoder's output behind the call)");
  return call.position();
}

Variable without_padding(const Variable& x, const Mask& mask, std::int64_t offset) {
  if (x.rank() == 2) return squeeze(without_padding(unsqueeze(x, 0), mask, offset), 0);
  if (x.rank() != 3) fail<ShapeError>("a layer: x {}: it must be (B, L, E), or (L, E)", x.shape());
  const Tensor real = real_queries(mask, x, offset);
  return real.defined() ? where(real, x, 0) : x;
}

}  // namespace regard::nn
