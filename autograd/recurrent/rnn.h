#pragma once

#include "autograd/variable.h"
#include "tensor/recurrent/sequence.h"

namespace regard {

// A plain recurrent network, for all steps of a sequence in one operation:
//   h′ = f(W_ih·x + b_ih + W_hh·h + b_hh)          f: tanh, or relu
//
// projected p = W_ih·x + b_ih (L, B, H), initial (B, H), weight W_hh (H, H), bias b_hh (H) → states (L + 1, B, H); see
// tensor/recurrent/sequence.h.
Variable rnn(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
             RnnActivation activation, const SequenceOptions& options = {});
Variable rnn_composed(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
                      RnnActivation activation, const SequenceOptions& options = {});

}  // namespace regard
