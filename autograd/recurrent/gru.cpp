#include "autograd/recurrent/gru.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "autograd/recurrent/composed.h"
#include "autograd/twin.h"
#include "tensor/ops/reduce.h"
#include "tensor/recurrent/gru.h"

namespace regard {
namespace {

// Part i of the gates: columns of what is projected, rows of the weight, elements of the bias.
Variable part(const Variable& x, int axis, std::int64_t i, std::int64_t hidden) {
  return slice(x, axis, i * hidden, (i + 1) * hidden);
}

Variable step(const Variable& p, const Variable& h, const Variable& weight, const Variable& bias, ResetGate reset) {
  const std::int64_t hidden = h.size(-1);
  const auto hidden_part = [&](const Variable& state, std::int64_t i) {
    return linear(state, part(weight, 0, i, hidden), part(bias, 0, i, hidden));
  };
  const Variable r = sigmoid(part(p, 1, 0, hidden) + hidden_part(h, 0));
  const Variable z = sigmoid(part(p, 1, 1, hidden) + hidden_part(h, 1));
  const Variable seen = reset == ResetGate::after_product ? r * hidden_part(h, 2) : hidden_part(r * h, 2);
  const Variable n = tanh(part(p, 1, 2, hidden) + seen);
  return n + z * (h - n);
}

}  // namespace

Variable gru_composed(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
                      ResetGate reset, const SequenceOptions& options) {
  require_sequence("gru", 3, projected.value(), {&initial.value()}, weight.value(), bias.value(), options);
  return composed_sequence(projected, {initial}, options, [&](const Variable& p, const CellState& before) {
    return CellState{step(p, before[0], weight, bias, reset)};
  })[0];
}

// Moving hₜ₋₁ moves hₜ directly, by z, and through the products a. With dₜ, the gradient of state hₜ from all later
// steps, and n̂, ẑ, r̂ for what stands inside tanh and σ:
//   ∂n̂ = d·(1 − z)·(1 − n²)      ∂ẑ = d·(h − n)·z·(1 − z)      ∂r̂ = ∂n̂·a_n·r·(1 − r)
//   ∂p = (∂r̂, ∂ẑ, ∂n̂)            ∂a = (∂r̂, ∂ẑ, ∂n̂·r)           dₜ₋₁ = g + d·z + ∂a·W_hh
// All steps use the same weight, so ∂W = Σₜ ∂aₜᵀ·hₜ₋₁ and ∂b = Σₜ ∂aₜ: the sum over steps and sequences is one product.
Variable gru(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
             ResetGate reset, const SequenceOptions& options) {
  if (reset == ResetGate::before_product) return gru_composed(projected, initial, weight, bias, reset, options);
  const bool keep = must_record(graph::InputRefs{projected, initial, weight, bias});
  const GruResult made = gru(projected.value(), initial.value(), weight.value(), bias.value(), options, keep);
  const auto twin = [=](const graph::Inputs& in) { return gru_composed(in[0], in[1], in[2], in[3], reset, options); };
  const auto rule = [options, gates = made.gates](const Variable& grad, const Saved& saved) {
    const Tensor& states = saved.output.value();
    const SequenceGradients to = gru_gradients(grad.value(), {states, gates}, saved.inputs[2].value(), options);
    return gradients(to.projected, to.initial, weight_gradient(to.hidden, states_before(states, options)),
                     sum(to.hidden, {0, 1}));
  };
  return record(op("gru"), {projected, initial, weight, bias}, made.states, with_twin(twin, rule));
}

}  // namespace regard
