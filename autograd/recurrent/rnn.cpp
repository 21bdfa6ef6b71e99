#include "autograd/recurrent/rnn.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/recurrent/sequence.h"

namespace regard {
namespace {

RecurrentCell cell_of(RnnActivation activation) {
  return activation == RnnActivation::tanh ? RecurrentCell::rnn_tanh : RecurrentCell::rnn_relu;
}

CellStep step_with(RnnActivation activation) {
  return [=](const Variable& p, const CellState& before, const Variable& weight, const Variable& bias) {
    const Variable sum = p + linear(before[0], weight, bias);
    return CellState{activation == RnnActivation::tanh ? tanh(sum) : relu(sum)};
  };
}

}  // namespace

Variable rnn_composed(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
                      RnnActivation activation, const SequenceOptions& options) {
  return composed_sequence(op("rnn"), cell_of(activation), {projected, initial, weight, bias}, options,
                           step_with(activation));
}

// With dₜ, the gradient of state hₜ from all later steps:  ∂aₜ = ∂pₜ = dₜ·f′,  dₜ₋₁ = g + ∂aₜ·W.
Variable rnn(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
             RnnActivation activation, const SequenceOptions& options) {
  return sequence(op("rnn"), cell_of(activation), {projected, initial, weight, bias}, options, step_with(activation));
}

}  // namespace regard
