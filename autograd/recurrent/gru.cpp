#include "autograd/recurrent/gru.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "autograd/recurrent/sequence.h"

namespace regard {
namespace {

// Part i of the gates: columns of what is projected, rows of the weight, elements of the bias.
Variable part(const Variable& x, int axis, std::int64_t i, std::int64_t hidden) {
  return slice(x, axis, i * hidden, (i + 1) * hidden);
}

CellStep step_with(ResetGate reset) {
  return [=](const Variable& p, const CellState& before, const Variable& weight, const Variable& bias) {
    const Variable& h = before[0];
    const std::int64_t hidden = h.size(-1);
    const auto hidden_part = [&](const Variable& state, std::int64_t i) {
      return linear(state, part(weight, 0, i, hidden), part(bias, 0, i, hidden));
    };
    const Variable r = sigmoid(part(p, 1, 0, hidden) + hidden_part(h, 0));
    const Variable z = sigmoid(part(p, 1, 1, hidden) + hidden_part(h, 1));
    const Variable seen = reset == ResetGate::after_product ? r * hidden_part(h, 2) : hidden_part(r * h, 2);
    const Variable n = tanh(part(p, 1, 2, hidden) + seen);
    return CellState{n + z * (h - n)};
  };
}

}  // namespace

Variable gru_composed(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
                      ResetGate reset, const SequenceOptions& options) {
  return composed_sequence(op("gru"), RecurrentCell::gru, {projected, initial, weight, bias}, options,
                           step_with(reset));
}

// Moving hₜ₋₁ moves hₜ directly, by z, and through the products a. With dₜ, the gradient of state hₜ from all later
// steps, and n̂, ẑ, r̂ for what stands inside tanh and σ:
//   ∂n̂ = d·(1 − z)·(1 − n²)      ∂ẑ = d·(h − n)·z·(1 − z)      ∂r̂ = ∂n̂·a_n·r·(1 − r)
//   ∂p = (∂r̂, ∂ẑ, ∂n̂)            ∂a = (∂r̂, ∂ẑ, ∂n̂·r)           dₜ₋₁ = g + d·z + ∂a·W_hh
Variable gru(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
             ResetGate reset, const SequenceOptions& options) {
  if (reset == ResetGate::before_product) return gru_composed(projected, initial, weight, bias, reset, options);
  return sequence(op("gru"), RecurrentCell::gru, {projected, initial, weight, bias}, options, step_with(reset));
}

}  // namespace regard
