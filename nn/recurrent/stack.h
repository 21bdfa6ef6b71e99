#pragma once

#include "nn/layers/dropout.h"
#include "nn/recurrent/cells.h"

namespace regard::nn {

struct RecurrentOptions {
  std::int64_t in, hidden;  // E, H
  std::int64_t layers = 1;
  bool bidirectional = false;  // each layer also reads from the end, with weights of its own: 2H outputs
  bool bias = true;
  double dropout = 0;  // of what one layer hands to the next, in training
  DType dtype = DType::f32;
};

// The layers of an RNN, GRU or LSTM. In a layer both directions read the same input, and their outputs stand side by
// side, (B, L, 2H): that is the input of the next layer. The cells, of RNNCell, GRUCell or LSTMCell (stack.cpp), stand
// in the order layer 0, layer 0 reversed, layer 1, …; their weights are listed under PyTorch's names: weight_ih_l0,
// weight_ih_l0_reverse, weight_ih_l1, …
template <class Cell>
struct RecurrentStack {
  const char* name;
  std::vector<Cell> cells;
  std::int64_t directions;
  Dropout dropout;

  using MakeCell = std::function<Cell(const CellOptions&)>;
  RecurrentStack(const char* name, const RecurrentOptions& options, Generator& generator, const MakeCell& make_cell);
  void visit(Visitor& v);

  // x (B, L, E) or (L, E); initial states of each kind (layers·directions, B, H), or undefined for zeros; lengths (B),
  // or undefined. → (B, L, directions·H), and final states as the initial ones; without B where x has none.
  CellRun operator()(const Variable& x, CellState initial, const Tensor& lengths);

 private:
  CellRun run_time_first(Variable x, const CellState& initial, const Tensor& lengths);
};

}  // namespace regard::nn
