#include "nn/recurrent/rnn.h"

namespace regard::nn {

RNN::RNN(RnnActivation activation, const RecurrentOptions& options, Generator& generator)
    : stack("RNN", options, generator, [&](const CellOptions& cell) { return RNNCell(activation, cell, generator); }) {}

RecurrentOutput RNN::operator()(const Variable& x, const RecurrentCall& call) {
  const StackRun run = run_layers("RNN", stack, x, {{call.h}, call.lengths});
  return {run.output, run.final[0]};
}

}  // namespace regard::nn
