#pragma once

#include "tensor/recurrent/sequence.h"

namespace regard {

// All steps of a plain recurrent network; autograd/recurrent/rnn.h has the formula, sequence.h the shapes.
Tensor rnn(const Tensor& projected, const Tensor& initial, const Tensor& weight, const Tensor& bias,
           RnnActivation activation, const SequenceOptions& options = {});  // states (L + 1, B, H)

// The gradients of Σ g·states. The states say all there is to know of a step, as each slope follows from its value.
SequenceGradients rnn_gradients(const Tensor& g, const Tensor& states, const Tensor& weight, RnnActivation activation,
                                const SequenceOptions& options = {});

}  // namespace regard
