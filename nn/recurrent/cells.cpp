#include "nn/recurrent/cells.h"

#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"
#include "autograd/recurrent/gru.h"
#include "autograd/recurrent/lstm.h"
#include "autograd/recurrent/rnn.h"
#include "nn/init.h"
#include "nn/layers/require.h"

namespace regard::nn {

CellWeights::CellWeights(const char* cell, std::int64_t gates, const CellOptions& o, Generator& generator) {
  require_positive(cell, {{"in", o.in}, {"hidden", o.hidden}});
  const auto start = [&](const Shape& shape) {
    return parameter(init::layer_default(shape, o.hidden, generator, o.dtype));
  };
  weight_ih = start({gates * o.hidden, o.in});
  weight_hh = start({gates * o.hidden, o.hidden});
  if (!o.bias) return;
  bias_ih = start({gates * o.hidden});
  bias_hh = start({gates * o.hidden});
}

Variable CellWeights::projected(const Variable& x) const { return linear(x, weight_ih, bias_ih); }

Variable CellWeights::hidden_bias() const {
  return bias_hh.defined() ? bias_hh : Variable(zeros({weight_hh.size(0)}, weight_hh.dtype()));
}

namespace {

// Of all states of each kind (L + 1, B, H): those of the first after each step, and of each the one after the last.
CellRun run_of(const CellState& states, bool reverse) {
  CellRun run{reverse ? slice(states[0], 0, 0, -1) : slice(states[0], 0, 1), {}};
  for (const Variable& kind : states) run.final.push_back(select(kind, 0, reverse ? 0 : -1));
  return run;
}

void require_step(const char* cell, const CellWeights& weights, const Variable& x, const CellState& states) {
  require_features(cell, x, weights.weight_ih.size(1));
  if (x.rank() > 2) fail<ShapeError>("{}: x {}: a step takes (B, E) or (E)", cell, x.shape());
  Shape state = x.shape();
  state[state.rank() - 1] = weights.hidden();
  for (const Variable& h : states) {
    require_defined(cell, h, "state");
    if (h.shape() != state) fail<ShapeError>("{}: a state {} for x {}: needs {}", cell, h.shape(), x.shape(), state);
  }
}

// One step is a sequence of length 1: so a cell step by step is a sequence at once, bit for bit.
template <class Cell>
CellState one_step(const char* name, const Cell& cell, const Variable& x, CellState state) {
  require_step(name, cell.weights, x, state);
  const bool has_batch = x.rank() == 2;
  for (Variable& each : state) each = has_batch ? each : unsqueeze(each, 0);
  CellState after = cell.run(unsqueeze(has_batch ? x : unsqueeze(x, 0), 0), state, {}).final;
  for (Variable& each : after) each = has_batch ? each : squeeze(each, 0);
  return after;
}

}  // namespace

RNNCell::RNNCell(RnnActivation f, const CellOptions& o, Generator& g) : weights("RNNCell", 1, o, g), activation(f) {}

CellRun RNNCell::run(const Variable& x, const CellState& initial, const SequenceOptions& options) const {
  const Variable states =
      rnn(weights.projected(x), initial[0], weights.weight_hh, weights.hidden_bias(), activation, options);
  return run_of({states}, options.reverse);
}

Variable RNNCell::operator()(const Variable& x, const Variable& h) const {
  return one_step("RNNCell", *this, x, {h})[0];
}

GRUCell::GRUCell(ResetGate gate, const CellOptions& o, Generator& g) : weights("GRUCell", 3, o, g), reset(gate) {}

CellRun GRUCell::run(const Variable& x, const CellState& initial, const SequenceOptions& options) const {
  const Variable states =
      gru(weights.projected(x), initial[0], weights.weight_hh, weights.hidden_bias(), reset, options);
  return run_of({states}, options.reverse);
}

Variable GRUCell::operator()(const Variable& x, const Variable& h) const {
  return one_step("GRUCell", *this, x, {h})[0];
}

LSTMCell::LSTMCell(const CellOptions& o, Generator& g) : weights("LSTMCell", 4, o, g) {}

CellRun LSTMCell::run(const Variable& x, const CellState& initial, const SequenceOptions& options) const {
  const Variable states =
      lstm(weights.projected(x), initial[0], initial[1], weights.weight_hh, weights.hidden_bias(), options);
  return run_of({select(states, 0, 0), select(states, 0, 1)}, options.reverse);
}

LSTMState LSTMCell::operator()(const Variable& x, const LSTMState& state) const {
  const CellState after = one_step("LSTMCell", *this, x, {state.h, state.c});
  return {after[0], after[1]};
}

}  // namespace regard::nn
