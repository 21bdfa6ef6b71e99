#include "autograd/recurrent/sequence.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "autograd/twin.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

namespace regard {
namespace {

// The inputs of a sequence: projected, the initial states, weight and bias.
CellState initial_of(const graph::Inputs& in) { return CellState(in.begin() + 1, in.end() - 2); }
const Variable& weight_of(const graph::Inputs& in) { return in[in.size() - 2]; }

// Their values. If one is undefined, the error names the operation.
SequenceInputs values_of(const OpInfo& info, const graph::Inputs& in) {
  for (const Variable& x : in) require_defined(info.name, x);
  std::vector<Tensor> initial;
  for (const Variable& state : initial_of(in)) initial.push_back(state.value());
  return {in[0].value(), initial, weight_of(in).value(), in.back().value()};
}

// Of a tensor with two kinds of states, (2, …), those of h and those of c; of one kind, the tensor itself.
std::vector<Tensor> by_kind(const Tensor& states, std::size_t kinds) {
  if (kinds == 1) return {states};
  return {select(states, 0, 0), select(states, 0, 1)};
}

}  // namespace

Variable composed_sequence(const OpInfo& info, RecurrentCell cell, const graph::Inputs& inputs,
                           const SequenceOptions& options, const CellStep& step) {
  require_sequence(cell, values_of(info, inputs), options);
  const std::int64_t length = inputs[0].size(0);
  CellState state = initial_of(inputs);
  std::vector<std::vector<Variable>> states(state.size(), std::vector<Variable>(static_cast<std::size_t>(length) + 1));
  const auto keep = [&](std::int64_t position) {
    for (std::size_t i = 0; i < state.size(); ++i) states[i][static_cast<std::size_t>(position)] = state[i];
  };
  const auto next = [&](const Variable& projected) { return step(projected, state, weight_of(inputs), inputs.back()); };
  keep(options.reverse ? length : 0);
  for (std::int64_t k = 0; k < length; ++k) {
    const std::int64_t t = options.reverse ? length - 1 - k : k;
    const Variable now = select(inputs[0], 0, t);
    if (options.lengths.defined()) {
      // A padded step is not taken: the state stays. NaN that stands there must not even be computed with.
      const Tensor real = unsqueeze(greater(options.lengths, static_cast<double>(t)), 1);  // 1 and 0, (B, 1)
      CellState after = next(where(real, now, 0));
      for (std::size_t i = 0; i < after.size(); ++i) after[i] = where(real, after[i], state[i]);
      state = after;
    } else {
      state = next(now);
    }
    keep(options.reverse ? t : t + 1);
  }
  std::vector<Variable> kinds;
  for (const auto& each : states) kinds.push_back(stack(each, 0));
  return kinds.size() == 1 ? kinds[0] : stack(kinds, 0);
}

// book: sequence
// All steps use the same weight, so ∂W = Σₜ ∂aₜᵀ·hₜ₋₁, which is one product, and ∂b = Σₜ ∂aₜ.
Variable sequence(const OpInfo& info, RecurrentCell cell, const graph::Inputs& inputs, const SequenceOptions& options,
                  const CellStep& step) {
  const SequenceResult made = sequence(cell, values_of(info, inputs), options, must_record(inputs));
  const auto twin = [=, &info](const graph::Inputs& in) { return composed_sequence(info, cell, in, options, step); };
  const auto rule = [=, gates = made.gates](const Variable& grad, const Saved& saved) {
    const Tensor& states = saved.output.value();
    const SequenceGradients to =
        sequence_gradients(cell, grad.value(), {states, gates}, weight_of(saved.inputs).value(), options);
    const std::size_t kinds = initial_of(saved.inputs).size();
    graph::Gradients list = gradients(to.projected);
    for (const Tensor& one : by_kind(to.initial, kinds)) list.emplace_back(one);
    const Tensor h = by_kind(states, kinds)[0];
    list.emplace_back(weight_gradient(to.hidden, states_before(h, options)));
    list.emplace_back(sum(to.hidden, {0, 1}));
    return list;
  };
  return record(info, inputs, made.states, with_twin(twin, rule));
}
// book: /sequence

}  // namespace regard
