#pragma once

#include "nn/recurrent/stack.h"

namespace regard::nn {

struct LSTMCall {
  Tensor lengths = {};      // i64 (B), as for RNN
  Variable h = {}, c = {};  // initial states (layers·directions, B, H); undefined: 0. Gradients flow to them
};

struct LSTMOutput {
  Variable output;  // (B, L, H) of the last layer; (B, L, 2H) where it reads in both directions
  Variable h, c;    // final states (layers·directions, B, H)
};

// A recurrent network with a memory beside its output; cells.h has the formulas of a step.
//
//   LSTM lstm({.in = 8, .hidden = 16}, generator);
//   auto [output, h, c] = lstm(x, {.lengths = lengths});    // x (B, L, E) or (L, E)
struct LSTM {
  RecurrentStack<LSTMCell> stack;

  LSTM(const RecurrentOptions& options, Generator& generator)
      : stack("LSTM", options, generator, [&](const CellOptions& cell) { return LSTMCell(cell, generator); }) {}
  void visit(Visitor& v) { stack.visit(v); }
  LSTMOutput operator()(const Variable& x, const LSTMCall& call = {}) {
    const CellRun run = stack(x, {call.h, call.c}, call.lengths);
    return {run.output, run.final[0], run.final[1]};
  }
};

}  // namespace regard::nn
