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

void require_layers(const char* name, const RecurrentOptions& options);
std::string suffix_of_cell(std::size_t cell, std::int64_t directions);

// The layers of an RNN, GRU or LSTM. In a layer both directions read the same input, and their outputs stand side by
// side, (B, L, 2H): that is the input of the next layer. The cells stand in the order layer 0, layer 0 reversed, layer
// 1, …; their weights are listed under PyTorch's names: weight_ih_l0, weight_ih_l0_reverse, weight_ih_l1, …
template <class Cell>
struct RecurrentStack {
  std::vector<Cell> cells;
  std::int64_t directions;
  Dropout dropout;

  // make_cell(options) makes one cell.
  template <class MakeCell>
  RecurrentStack(const char* name, const RecurrentOptions& options, Generator& generator, const MakeCell& make_cell);

  void visit(Visitor& v) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i].weights.visit(v, suffix_of_cell(i, directions));
    v("dropout", dropout);
  }
};

// What all layers made of sequences: the output of the last layer (B, L, directions·H), and the final states of all
// cells, of each kind (layers·directions, B, H). Without B where the input has none.
struct StackRun {
  Variable output;
  CellState final;
};

// What is asked of all layers: initial states of each kind, as above or undefined for zeros, and lengths (B).
struct RecurrentStackCall {
  CellState initial;
  Tensor lengths;
};

// How one of the cells reads a sequence, time first.
using RunCell = std::function<CellRun(std::size_t cell, const Variable& x, const CellState& initial,
                                      const SequenceOptions& options)>;

struct StackSizes {
  const char* name;
  std::int64_t in, hidden, layers, directions;
  std::int64_t cells() const { return layers * directions; }
};
StackRun run_layers(const StackSizes& sizes, const RunCell& run_cell, Dropout& dropout, const Variable& x,
                    const RecurrentStackCall& call);

template <class Cell>
template <class MakeCell>
RecurrentStack<Cell>::RecurrentStack(const char* name, const RecurrentOptions& o, Generator& generator,
                                     const MakeCell& make_cell)
    : directions(o.bidirectional ? 2 : 1), dropout(o.dropout, generator) {
  require_layers(name, o);
  for (std::int64_t i = 0; i < o.layers * directions; ++i)
    cells.push_back(make_cell(
        {.in = i < directions ? o.in : directions * o.hidden, .hidden = o.hidden, .bias = o.bias, .dtype = o.dtype}));
}

template <class Cell>
StackRun run_layers(const char* name, RecurrentStack<Cell>& stack, const Variable& x, const RecurrentStackCall& call) {
  const CellWeights& first = stack.cells.front().weights;
  const auto count = static_cast<std::int64_t>(stack.cells.size());
  const StackSizes sizes{name, first.weight_ih.size(1), first.hidden(), count / stack.directions, stack.directions};
  const auto run_cell = [&](std::size_t cell, const Variable& input, const CellState& initial,
                            const SequenceOptions& options) { return stack.cells[cell].run(input, initial, options); };
  return run_layers(sizes, run_cell, stack.dropout, x, call);
}

}  // namespace regard::nn
