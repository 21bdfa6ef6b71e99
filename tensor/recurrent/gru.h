#pragma once

#include "tensor/recurrent/sequence.h"

namespace regard {

// All steps of a GRU; autograd/recurrent/gru.h has the formulas, sequence.h the shapes. Gain, with the gate before or
// after the product: composed of other operations it takes 3 to 6 times as long.
//
// For the gradients four rows of H numbers are kept of each step and sequence: r, z, u and n. u is what goes with W_n:
// the product W_n·h + b_n where the reset gate comes after it, r ⊙ h where the gate comes before.
struct GruResult {
  Tensor states;      // (L + 1, B, H)
  Tensor gates = {};  // (L, B, 4H); (1, B, 4H), of no use, where they are not kept
};
GruResult gru(const Tensor& projected, const Tensor& initial, const Tensor& weight, const Tensor& bias, ResetGate reset,
              const SequenceOptions& options = {}, bool keep_gates = false);

// The gradients of Σ g·states.
SequenceGradients gru_gradients(const Tensor& g, const GruResult& made, const Tensor& weight, ResetGate reset,
                                const SequenceOptions& options = {});

// That of W_hh, from what became of the products. A candidate whose reset gate comes first was multiplied with r ⊙ h.
Tensor gru_weight_gradient(const GruResult& made, const Tensor& to_hidden, ResetGate reset,
                           const SequenceOptions& options = {});

}  // namespace regard
