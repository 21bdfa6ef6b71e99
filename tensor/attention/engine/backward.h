#pragma once

#include "tensor/attention/engine/inputs.h"
#include "tensor/attention/engine/tile.h"

namespace regard {

struct AttentionGradients {
  Tensor q, k, v, parameters, bias;
  std::vector<Tensor> lines;
};
struct WantedGradients {
  bool q, k, v, parameters, bias, lines = false;
};

// The gradients of Σ gradient·output, those that are wanted.
template <class T>
AttentionGradients attention_gradients(const AttentionInputs& in, const engine::TileScore<T>& score,
                                       const AttentionForward& made, const Tensor& gradient,
                                       const WantedGradients& wanted);

}  // namespace regard
