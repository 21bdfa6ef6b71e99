#pragma once

#include "tensor/recurrent/sequence.h"

namespace regard {

// All steps of an LSTM; autograd/recurrent/lstm.h has the formulas, sequence.h the shapes. It has two states: h, which
// is its output, and c, its memory.
struct LstmResult {
  Tensor states;      // (2, L + 1, B, H): those of h, then those of c
  Tensor gates = {};  // i, f, g and o of each step, (L, B, 4H); (1, B, 4H), of no use, where they are not kept
};
LstmResult lstm(const Tensor& projected, const Tensor& initial_h, const Tensor& initial_c, const Tensor& weight,
                const Tensor& bias, const SequenceOptions& options = {}, bool keep_gates = false);

// The gradients of Σ g·states. That of the initial states is (2, B, H).
SequenceGradients lstm_gradients(const Tensor& g, const LstmResult& made, const Tensor& weight,
                                 const SequenceOptions& options = {});

}  // namespace regard
