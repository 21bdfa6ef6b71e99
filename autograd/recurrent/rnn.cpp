#include "autograd/recurrent/rnn.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/recurrent/composed.h"
#include "autograd/twin.h"
#include "tensor/ops/reduce.h"
#include "tensor/recurrent/rnn.h"

namespace regard {

Variable rnn_composed(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
                      RnnActivation activation, const SequenceOptions& options) {
  require_sequence("rnn", 1, projected.value(), {&initial.value()}, weight.value(), bias.value(), options);
  return composed_sequence(projected, {initial}, options, [&](const Variable& p, const CellState& before) {
    const Variable sum = p + linear(before[0], weight, bias);
    return CellState{activation == RnnActivation::tanh ? tanh(sum) : relu(sum)};
  })[0];
}

// book: rnn
// With dₜ, the gradient of state hₜ from all later steps:  ∂aₜ = ∂pₜ = dₜ·f′,  dₜ₋₁ = g + ∂aₜ·W. All steps use the same
// weight, so ∂W = Σₜ ∂aₜᵀ·hₜ₋₁ and ∂b = Σₜ ∂aₜ.
Variable rnn(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
             RnnActivation activation, const SequenceOptions& options) {
  const auto twin = [=](const graph::Inputs& in) {
    return rnn_composed(in[0], in[1], in[2], in[3], activation, options);
  };
  const auto rule = [=](const Variable& grad, const Saved& saved) {
    const Tensor& states = saved.output.value();
    const SequenceGradients to = rnn_gradients(grad.value(), states, saved.inputs[2].value(), activation, options);
    return gradients(to.projected, to.initial, weight_gradient(to.hidden, states_before(states, options)),
                     sum(to.hidden, {0, 1}));
  };
  return record(op("rnn"), {projected, initial, weight, bias},
                rnn(projected.value(), initial.value(), weight.value(), bias.value(), activation, options),
                with_twin(twin, rule));
}
// book: /rnn

}  // namespace regard
