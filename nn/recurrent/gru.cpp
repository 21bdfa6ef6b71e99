#include "nn/recurrent/gru.h"

namespace regard::nn {

GRU::GRU(ResetGate reset, const RecurrentOptions& options, Generator& generator)
    : stack("GRU", options, generator, [&](const CellOptions& cell) { return GRUCell(reset, cell, generator); }) {}

RecurrentOutput GRU::operator()(const Variable& x, const RecurrentCall& call) {
  const StackRun run = run_layers("GRU", stack, x, {{call.h}, call.lengths});
  return {run.output, run.final[0]};
}

}  // namespace regard::nn
