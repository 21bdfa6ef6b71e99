#include "nn/recurrent/stack.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "nn/layers/require.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"

namespace regard::nn {
namespace {

// 1 where a step is real, (L, B, 1).
Tensor real_steps(const Tensor& lengths, std::int64_t steps) {
  return unsqueeze(less(unsqueeze(arange(steps), 1), lengths), -1);
}

// The initial states of each cell: (B, H), of each kind.
std::vector<CellState> initial_states(const StackSizes& sizes, const CellState& given, std::int64_t batch,
                                      DType dtype) {
  const Shape all{sizes.cells(), batch, sizes.hidden};
  std::vector<CellState> each(static_cast<std::size_t>(sizes.cells()));
  for (const Variable& states : given) {
    if (states.defined() && states.shape() != all)
      fail<ShapeError>("{}: initial states {}: needs (layers·directions, B, H), {}", sizes.name, states.shape(), all);
    for (std::size_t i = 0; i < each.size(); ++i)
      each[i].push_back(states.defined() ? select(states, 0, static_cast<std::int64_t>(i))
                                         : Variable(zeros({batch, sizes.hidden}, dtype)));
  }
  return each;
}

void require_input(const StackSizes& sizes, const Variable& x) {
  require_features(sizes.name, x, sizes.in);
  if (x.rank() != 2 && x.rank() != 3) fail<ShapeError>("{}: x {}: needs (B, L, E) or (L, E)", sizes.name, x.shape());
}

// All layers, with time first: x (L, B, E) → (L, B, directions·H). What is padding is 0 in the input, so that NaN there
// reaches no gradient, and in the output of every layer.
StackRun run_time_first(const StackSizes& sizes, const RunCell& run_cell, Dropout& dropout, Variable x,
                        const RecurrentStackCall& call) {
  if (call.lengths.defined()) require_lengths(sizes.name, call.lengths, x.size(0), x.size(1));
  const std::vector<CellState> initial = initial_states(sizes, call.initial, x.size(1), x.dtype());
  const Tensor real = call.lengths.defined() ? real_steps(call.lengths, x.size(0)) : Tensor();
  const auto without_padding = [&](const Variable& y) { return real.defined() ? where(real, y, 0) : y; };
  std::vector<std::vector<Variable>> final(call.initial.size());
  x = without_padding(x);
  for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
    std::vector<Variable> outputs;
    for (std::int64_t direction = 0; direction < sizes.directions; ++direction) {
      const auto cell = static_cast<std::size_t>(layer * sizes.directions + direction);
      const CellRun run = run_cell(cell, x, initial[cell], {.lengths = call.lengths, .reverse = direction == 1});
      outputs.push_back(run.output);
      for (std::size_t kind = 0; kind < final.size(); ++kind) final[kind].push_back(run.final[kind]);
    }
    x = without_padding(outputs.size() == 1 ? outputs[0] : cat(outputs, -1));
    if (layer + 1 < sizes.layers) x = dropout(x);
  }
  StackRun all{x, {}};
  for (const auto& states : final) all.final.push_back(stack(states, 0));
  return all;
}

}  // namespace

StackRun run_layers(const StackSizes& sizes, const RunCell& run_cell, Dropout& dropout, const Variable& x,
                    const RecurrentStackCall& call) {
  require_input(sizes, x);
  if (x.rank() == 3) {
    StackRun run = run_time_first(sizes, run_cell, dropout, transpose(x, 0, 1), call);
    return {transpose(run.output, 0, 1), run.final};
  }
  RecurrentStackCall batched = call;
  for (Variable& states : batched.initial)
    if (states.defined()) states = unsqueeze(states, 1);
  StackRun run = run_time_first(sizes, run_cell, dropout, unsqueeze(x, 1), batched);
  for (Variable& states : run.final) states = squeeze(states, 1);
  return {squeeze(run.output, 1), run.final};
}

void require_layers(const char* name, const RecurrentOptions& o) {
  require_positive(name, {{"in", o.in}, {"hidden", o.hidden}, {"layers", o.layers}});
  if (o.dropout > 0 && o.layers == 1)
    fail<ValueError>("{}: dropout = {} is between layers, and there is one", name, o.dropout);
}

std::string suffix_of_cell(std::size_t cell, std::int64_t directions) {
  const std::int64_t i = static_cast<std::int64_t>(cell);
  return fmt::format("_l{}{}", i / directions, i % directions == 1 ? "_reverse" : "");
}

}  // namespace regard::nn
