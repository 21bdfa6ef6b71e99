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

// The initial states of each cell, (B, H) of each kind: `all` is the shape in which they are given, (cells, B, H).
std::vector<CellState> initial_states(const char* name, const CellState& given, const Shape& all, DType dtype) {
  std::vector<CellState> each(static_cast<std::size_t>(all[0]));
  for (const Variable& states : given) {
    if (states.defined() && states.shape() != all)
      fail<ShapeError>("{}: initial states {}: needs (layers·directions, B, H), {}", name, states.shape(), all);
    for (std::size_t i = 0; i < each.size(); ++i)
      each[i].push_back(states.defined() ? select(states, 0, static_cast<std::int64_t>(i))
                                         : Variable(zeros({all[1], all[2]}, dtype)));
  }
  return each;
}

}  // namespace

template <class Cell>
RecurrentStack<Cell>::RecurrentStack(const char* of, const RecurrentOptions& o, Generator& generator,
                                     const MakeCell& make_cell)
    : name(of), directions(o.bidirectional ? 2 : 1), dropout(o.dropout, generator) {
  require_positive(name, {{"in", o.in}, {"hidden", o.hidden}, {"layers", o.layers}});
  if (o.dropout > 0 && o.layers == 1)
    fail<ValueError>("{}: dropout = {} is between layers, and there is one", name, o.dropout);
  for (std::int64_t i = 0; i < o.layers * directions; ++i)
    cells.push_back(make_cell(
        {.in = i < directions ? o.in : directions * o.hidden, .hidden = o.hidden, .bias = o.bias, .dtype = o.dtype}));
}

template <class Cell>
void RecurrentStack<Cell>::visit(Visitor& v) {
  for (std::int64_t i = 0; i < std::ssize(cells); ++i)
    cells[static_cast<std::size_t>(i)].weights.visit(
        v, fmt::format("_l{}{}", i / directions, i % directions == 1 ? "_reverse" : ""));
  v("dropout", dropout);
}

template <class Cell>
CellRun RecurrentStack<Cell>::operator()(const Variable& x, CellState initial, const Tensor& lengths) {
  require_features(name, x, cells[0].weights.weight_ih.size(1));
  if (x.rank() != 2 && x.rank() != 3) fail<ShapeError>("{}: x {}: needs (B, L, E) or (L, E)", name, x.shape());
  if (x.rank() == 3) {
    const auto [output, final] = run_time_first(transpose(x, 0, 1), initial, lengths);
    return {transpose(output, 0, 1), final};
  }
  for (Variable& states : initial)
    if (states.defined()) states = unsqueeze(states, 1);
  CellRun run = run_time_first(unsqueeze(x, 1), initial, lengths);
  for (Variable& states : run.final) states = squeeze(states, 1);
  return {squeeze(run.output, 1), run.final};
}

// All layers, with time first: x (L, B, E) → (L, B, directions·H). What is padding is 0 in the input, so that NaN there
// reaches no gradient, and in the output of every layer.
template <class Cell>
CellRun RecurrentStack<Cell>::run_time_first(Variable x, const CellState& given, const Tensor& lengths) {
  if (lengths.defined()) require_lengths(name, lengths, x.size(0), x.size(1));
  const Tensor real = lengths.defined() ? real_steps(lengths, x.size(0)) : Tensor();
  const auto without_padding = [&](const Variable& y) { return real.defined() ? where(real, y, 0) : y; };
  const Shape states_of_all{std::ssize(cells), x.size(1), cells[0].weights.hidden()};
  const std::vector<CellState> initial = initial_states(name, given, states_of_all, x.dtype());
  std::vector<std::vector<Variable>> final(given.size());
  x = without_padding(x);
  for (std::size_t cell = 0; cell < cells.size();) {
    std::vector<Variable> outputs;
    for (std::int64_t direction = 0; direction < directions; ++direction, ++cell) {
      const CellRun run = cells[cell].run(x, initial[cell], {.lengths = lengths, .reverse = direction == 1});
      outputs.push_back(run.output);
      for (std::size_t kind = 0; kind < final.size(); ++kind) final[kind].push_back(run.final[kind]);
    }
    x = without_padding(outputs.size() == 1 ? outputs[0] : cat(outputs, -1));
    if (cell < cells.size()) x = dropout(x);
  }
  CellRun all{x, {}};
  for (const auto& states : final) all.final.push_back(stack(states, 0));
  return all;
}

template struct RecurrentStack<RNNCell>;
template struct RecurrentStack<GRUCell>;
template struct RecurrentStack<LSTMCell>;

}  // namespace regard::nn
