#pragma once

#include "nn/transformer/attention_maker.h"

namespace regard::nn {

// What the layers of an encoder and of a decoder have in common.

// Who looked where, before dropout: (B, H, Lq, Lk).
struct LayerWeights {
  Variable self, cross;
};

struct LayerOutput {
  Variable output;
  LayerWeights weights;  // undefined if not asked for
};

Residual make_residual(const LayerOptions& options, Generator& generator);

// Where the first row of a layer's input stands. Its own keys grow: they are remembered in the call's cache, never in
// its memory.
std::int64_t position_in_layer(const AttentionCall& call);

// x (B, L, E), or one sequence (L, E), with 0 in the rows that a mask knows to be padding: what stood there, such as
// NaN, reaches nothing. The first row stands at position `offset`.
Variable without_padding(const Variable& x, const Mask& mask, std::int64_t offset);

}  // namespace regard::nn
