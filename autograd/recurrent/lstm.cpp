#include "autograd/recurrent/lstm.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "autograd/recurrent/composed.h"
#include "autograd/twin.h"
#include "tensor/ops/reduce.h"
#include "tensor/recurrent/lstm.h"
#include "tensor/view.h"

namespace regard {
namespace {

CellState step(const Variable& p, const CellState& before, const Variable& weight, const Variable& bias) {
  const std::int64_t hidden = weight.size(1);
  const Variable all = p + linear(before[0], weight, bias);
  const auto part = [&](std::int64_t i) { return slice(all, 1, i * hidden, (i + 1) * hidden); };
  const Variable memory = sigmoid(part(1)) * before[1] + sigmoid(part(0)) * tanh(part(2));
  return {sigmoid(part(3)) * tanh(memory), memory};
}

}  // namespace

Variable lstm_composed(const Variable& projected, const Variable& initial_h, const Variable& initial_c,
                       const Variable& weight, const Variable& bias, const SequenceOptions& options) {
  require_sequence("lstm", 4, projected.value(), {&initial_h.value(), &initial_c.value()}, weight.value(), bias.value(),
                   options);
  const auto take_step = [&](const Variable& p, const CellState& before) { return step(p, before, weight, bias); };
  return stack(composed_sequence(projected, {initial_h, initial_c}, options, take_step), 0);
}

// With dhₜ and dcₜ, the gradients of states hₜ and cₜ from all later steps, m = tanh c′, and î, f̂, ĝ, ô for what
// stands inside σ and tanh:
//   ∂ô = dh·m·o·(1 − o)      ∂c′ = dc + dh·o·(1 − m²)
//   ∂î = ∂c′·g·i·(1 − i)     ∂f̂ = ∂c′·c·f·(1 − f)     ∂ĝ = ∂c′·i·(1 − g²)
//   ∂p = ∂a = (∂î, ∂f̂, ∂ĝ, ∂ô)      dhₜ₋₁ = (g of h) + ∂a·W_hh      dcₜ₋₁ = (g of c) + ∂c′·f
// The way from c to c goes through no product and no slope but f: that is why long memory can be learned. All steps use
// the same weight, so ∂W = Σₜ ∂aₜᵀ·hₜ₋₁ and ∂b = Σₜ ∂aₜ.
Variable lstm(const Variable& projected, const Variable& initial_h, const Variable& initial_c, const Variable& weight,
              const Variable& bias, const SequenceOptions& options) {
  const bool keep = must_record(graph::InputRefs{projected, initial_h, initial_c, weight, bias});
  const LstmResult made =
      lstm(projected.value(), initial_h.value(), initial_c.value(), weight.value(), bias.value(), options, keep);
  const auto twin = [=](const graph::Inputs& in) { return lstm_composed(in[0], in[1], in[2], in[3], in[4], options); };
  const auto rule = [options, gates = made.gates](const Variable& grad, const Saved& saved) {
    const Tensor& states = saved.output.value();
    const SequenceGradients to = lstm_gradients(grad.value(), {states, gates}, saved.inputs[3].value(), options);
    return gradients(to.projected, select(to.initial, 0, 0), select(to.initial, 0, 1),
                     weight_gradient(to.hidden, states_before(select(states, 0, 0), options)), sum(to.hidden, {0, 1}));
  };
  return record(op("lstm"), {projected, initial_h, initial_c, weight, bias}, made.states, with_twin(twin, rule));
}

}  // namespace regard
