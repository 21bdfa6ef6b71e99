#pragma once

#include "nn/transformer/attention_maker.h"

namespace regard::nn {

// What the layers of an encoder and of a decoder have in common.

// Who looked where, before dropout: (B, H, Lq, Lk).
struct LayerWeights {
  Variable self, cross;
};

// What a layer remembers of earlier steps: its own keys and values, and those of the encoder.
struct LayerCache {
  Cache self, cross;
};

struct LayerCall {
  bool weights = false;         // return them; this changes no bit of the output
  Variable head_mask = {};      // (H) or (B, H): multiplies what each head of self-attention contributes
  LayerCache* cache = nullptr;  // the layer's input goes on where the last call ended
  Tensor begins = {};           // as AttentionCall has it

  std::int64_t position() const { return cache ? cache->self.position() : 0; }  // of the first row
};

struct LayerOutput {
  Variable output;
  LayerWeights weights;  // undefined if not asked for
};

AttentionCall self_call(const LayerCall& call);  // of a layer's own attention
Residual make_residual(const LayerOptions& options, Generator& generator);

// x (B, L, E), or one sequence (L, E), with 0 in the rows that a mask knows to be padding: what stood there, such as
// NaN, reaches nothing. The first row stands at position `offset`.
Variable without_padding(const Variable& x, const Mask& mask, std::int64_t offset);

}  // namespace regard::nn
