#pragma once

#include "tensor/attention/engine/inputs.h"
#include "tensor/attention/engine/tile.h"

namespace regard {

template <class T>
AttentionForward attention_forward(const AttentionInputs& in, const engine::TileScore<T>& score);

struct AttentionGradients {
  Tensor q, k, v, parameters, bias;
  std::vector<Tensor> lines;
};
struct WantedGradients {
  bool q, k, v, parameters, bias, lines = false;
};

// What arrives at the results of attention: at the output, (…, Lq, Dv), and, if it is defined, at log Σ eˢ, (…, Lq).
struct ArrivingGradients {
  Tensor output, log_sum = {};
};

// The gradients of Σ gradient·result, those that are wanted.
template <class T>
AttentionGradients attention_gradients(const AttentionInputs& in, const engine::TileScore<T>& score,
                                       const AttentionForward& made, const ArrivingGradients& arriving,
                                       const WantedGradients& wanted);

// For pictures, weights before dropout: those of a few queries, (…, queries, Lk).
template <class T>
Tensor attention_rows(const AttentionInputs& in, const engine::TileScore<T>& score, const AttentionForward& made,
                      const std::vector<std::int64_t>& queries);

}  // namespace regard
