#include "nn/recurrent/lstm.h"

namespace regard::nn {

LSTM::LSTM(const RecurrentOptions& options, Generator& generator)
    : stack("LSTM", options, generator, [&](const CellOptions& cell) { return LSTMCell(cell, generator); }) {}

LSTMOutput LSTM::operator()(const Variable& x, const LSTMCall& call) {
  const StackRun run = run_layers("LSTM", stack, x, {{call.h, call.c}, call.lengths});
  return {run.output, run.final[0], run.final[1]};
}

}  // namespace regard::nn
