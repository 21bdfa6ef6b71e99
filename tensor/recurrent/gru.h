#pragma once

#include "tensor/recurrent/sequence.h"

namespace regard {

// All steps of a GRU whose reset gate comes after the product (ResetGate), so that all products of a step are one;
// autograd/recurrent/gru.h has the formulas, sequence.h the shapes. Gain: composed of other operations it takes 3 to 6
// times as long.
//
// For the gradients four rows of H numbers are kept of each step and sequence: r, z, u and n, where u = W_n·h + b_n.
struct GruResult {
  Tensor states;      // (L + 1, B, H)
  Tensor gates = {};  // (L, B, 4H); (1, B, 4H), of no use, where they are not kept
};
GruResult gru(const Tensor& projected, const Tensor& initial, const Tensor& weight, const Tensor& bias,
              const SequenceOptions& options = {}, bool keep_gates = false);

// The gradients of Σ g·states.
SequenceGradients gru_gradients(const Tensor& g, const GruResult& made, const Tensor& weight,
                                const SequenceOptions& options = {});

}  // namespace regard
