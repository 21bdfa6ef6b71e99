#pragma once

#include "nn/recurrent/stack.h"

namespace regard::nn {

struct RecurrentCall {
  // i64 (B): of each sequence only so many steps are real. A padded step changes no state, and its output is 0: so the
  // final states are those after the last real step. Reversed, reading begins with the last real step.
  Tensor lengths = {};
  Variable h = {};  // initial states (layers·directions, B, H); undefined: 0. Gradients flow to them
};

struct RecurrentOutput {
  Variable output;  // (B, L, H) of the last layer; (B, L, 2H) where it reads in both directions
  Variable h;       // final states (layers·directions, B, H)
};

// Reads sequences step by step. Its state is all that it remembers:
//   hₜ = tanh(W_ih·xₜ + b_ih + W_hh·hₜ₋₁ + b_hh), or relu
//
//   RNN rnn(RnnActivation::tanh, {.in = 8, .hidden = 16}, generator);
//   auto [output, h] = rnn(x, {.lengths = lengths});        // x (B, L, E) or (L, E)
struct RNN {
  RecurrentStack<RNNCell> stack;

  RNN(RnnActivation activation, const RecurrentOptions& options, Generator& generator)
      : stack("RNN", options, generator,
              [&](const CellOptions& cell) { return RNNCell(activation, cell, generator); }) {}
  void visit(Visitor& v) { stack.visit(v); }
  RecurrentOutput operator()(const Variable& x, const RecurrentCall& call = {}) {
    const CellRun run = stack(x, {call.h}, call.lengths);
    return {run.output, run.final[0]};
  }
};

}  // namespace regard::nn
