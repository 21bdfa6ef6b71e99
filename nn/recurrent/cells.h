#pragma once

#include "autograd/recurrent/sequence.h"
#include "nn/module.h"

namespace regard::nn {

struct CellOptions {
  std::int64_t in, hidden;  // E, H
  bool bias = true;
  DType dtype = DType::f32;
};

// What a recurrent cell learns, under PyTorch's names, and in its order of gates: G blocks of H rows.
// All start uniform in ±1/√H.
struct CellWeights {
  Variable weight_ih, weight_hh;  // (G·H, E), (G·H, H)
  Variable bias_ih, bias_hh;      // (G·H); undefined where the options say so

  CellWeights(const char* cell, std::int64_t gates, const CellOptions& options, Generator& generator);

  // `suffix` tells cells apart that are listed side by side: weight_ih_l0, weight_ih_l0_reverse, …
  void visit(Visitor& v, const std::string& suffix = "") {
    v("weight_ih" + suffix, weight_ih);
    v("weight_hh" + suffix, weight_hh);
    v("bias_ih" + suffix, bias_ih);
    v("bias_hh" + suffix, bias_hh);
  }

  std::int64_t hidden() const { return weight_hh.size(1); }
  Variable projected(const Variable& x) const;  // W_ih·x + b_ih: (…, E) → (…, G·H)
  Variable hidden_bias() const;                 // b_hh, or zeros
};

// What a cell made of a sequence: the states after each step (L, B, H), time first, and the final ones, each (B, H). Of
// a stack: the output of its last layer, and the final states of all cells.
struct CellRun {
  Variable output;
  CellState final;
};

// h′ = tanh(W_ih·x + b_ih + W_hh·h + b_hh), or relu        x (B, E), h (B, H) → (B, H), or all without B
struct RNNCell {
  CellWeights weights;
  RnnActivation activation;

  RNNCell(RnnActivation f, const CellOptions& options, Generator& generator);
  void visit(Visitor& v) { weights.visit(v); }
  Variable operator()(const Variable& x, const Variable& h) const;
  CellRun run(const Variable& x, const CellState& initial, const SequenceOptions& options) const;
};

// book: gru_cell
// The state is a mean of itself and a candidate, and the update gate z says how much of each:
//   r = σ(W_ir·x + b_ir + W_hr·h + b_hr)      z = σ(W_iz·x + b_iz + W_hz·h + b_hz)
//   n = tanh(W_in·x + b_in + r ⊙ (W_hn·h + b_hn)), or with W_hn·(r ⊙ h) + b_hn: see ResetGate
//   h′ = (1 − z) ⊙ n + z ⊙ h                  x (B, E), h (B, H) → (B, H), or all without B
struct GRUCell {
  CellWeights weights;  // gates in the order r, z, n
  ResetGate reset;

  GRUCell(ResetGate gate, const CellOptions& options, Generator& generator);
  void visit(Visitor& v) { weights.visit(v); }
  Variable operator()(const Variable& x, const Variable& h) const;
  CellRun run(const Variable& x, const CellState& initial, const SequenceOptions& options) const;
};
// book: /gru_cell

struct LSTMState {
  Variable h, c;  // the output, and the memory
};

// A memory that is only scaled and added to, with gates that say what is written, kept and shown:
//   i, f, o = σ(W_i·x + b_i + W_h·h + b_h), each with rows of its own      g = tanh(W_ig·x + b_ig + W_hg·h + b_hg)
//   c′ = f ⊙ c + i ⊙ g                        h′ = o ⊙ tanh c′             x (B, E), h, c (B, H), or all without B
struct LSTMCell {
  CellWeights weights;  // gates in the order i, f, g, o

  LSTMCell(const CellOptions& options, Generator& generator);
  void visit(Visitor& v) { weights.visit(v); }
  LSTMState operator()(const Variable& x, const LSTMState& state) const;
  CellRun run(const Variable& x, const CellState& initial, const SequenceOptions& options) const;
};

}  // namespace regard::nn
