#pragma once

#include "nn/recurrent/rnn.h"

namespace regard::nn {

// A recurrent network whose state is a mean of what it was and of what is new; cells.h has the formulas of a step.
// There are two kinds, and weights of one are silently wrong in the other: so the kind has no default.
//
//   GRU gru(ResetGate::after_product, {.in = 8, .hidden = 16, .layers = 2, .bidirectional = true}, generator);
//   auto [output, h] = gru(x, {.lengths = lengths});        // x (B, L, E) or (L, E); as for RNN
struct GRU {
  RecurrentStack<GRUCell> stack;

  GRU(ResetGate reset, const RecurrentOptions& options, Generator& generator)
      : stack("GRU", options, generator, [&](const CellOptions& cell) { return GRUCell(reset, cell, generator); }) {}
  void visit(Visitor& v) { stack.visit(v); }
  RecurrentOutput operator()(const Variable& x, const RecurrentCall& call = {}) {
    const CellRun run = stack(x, {call.h}, call.lengths);
    return {run.output, run.final[0]};
  }
};

}  // namespace regard::nn
