#pragma once

#include "nn/attention/multi_head.h"
#include "nn/layers/stated.h"
#include "nn/transformer/feed_forward.h"
#include "nn/transformer/residual.h"

namespace regard::nn {

// What the layers of an encoder and of a decoder have in common.

struct LayerOptions {
  std::int64_t model, heads, hidden;  // E, H, and the width of the feed-forward part
  Stated<NormPlacement> placement;
  NormKind norm = NormKind::layer;
  double epsilon = 1e-5;
  FeedForwardKind feed_forward = FeedForwardKind::relu;
  std::int64_t key_value_heads = 0;  // grouped queries: fewer heads of keys and values; 0: `heads`
  bool bias = true;                  // of all projections, and of LayerNorm
  double dropout = 0;                // of what each part adds
  double attention_dropout = 0;      // of weights
  DType dtype = DType::f32;
  Method method = Method::composed;
};

// Who looked where, before dropout: (B, H, Lq, Lk).
struct LayerWeights {
  Variable self, cross;
};

// What a layer remembers of earlier steps: its own keys and values, and those of the encoder.
struct LayerCache {
  KeyValueCache self, cross;
};

struct LayerCall {
  bool weights = false;         // are to be returned. To ask for them changes no bit of the output
  Variable head_mask = {};      // (H) or (B, H): multiplies what each head of self-attention contributes
  LayerCache* cache = nullptr;  // the layer's input goes on where the last call ended
};

struct LayerOutput {
  Variable output;
  LayerWeights weights;  // undefined if not asked for
};

// The parts of a layer, made from its options.
MultiHeadOptions attention_options(const LayerOptions& options);
FeedForward make_feed_forward(const LayerOptions& options, Generator& generator);
Residual make_residual(const LayerOptions& options, Generator& generator);

// x (B, L, E) with 0 in the place of rows that a mask knows to be padding: what stands there, such as NaN, reaches
// nothing.
Variable without_padding(const Variable& x, const ResolvedMask& mask);

}  // namespace regard::nn
