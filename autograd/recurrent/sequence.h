#pragma once

#include "autograd/variable.h"
#include "tensor/recurrent/sequence.h"

#include <functional>
#include <vector>

namespace regard {

// What a cell remembers between steps: one state, or two. Each is (B, H).
using CellState = std::vector<Variable>;

// One step: from what is projected of the input (B, G·H) and the state before to the state after.
using CellStep = std::function<CellState(const Variable& projected, const CellState& before, const Variable& weight,
                                         const Variable& bias)>;

// A sequence as what it is: a cell in a loop. `info` is the operation's row in the table. The inputs are projected, the
// initial states, weight and bias. Returns all states, (L + 1, B, H), or with two kinds (2, L + 1, B, H); see
// tensor/recurrent/sequence.h.
Variable composed_sequence(const OpInfo& info, RecurrentCell cell, const graph::Inputs& inputs,
                           const SequenceOptions& options, const CellStep& step);

// The same as one operation.
Variable sequence(const OpInfo& info, RecurrentCell cell, const graph::Inputs& inputs, const SequenceOptions& options,
                  const CellStep& step);

}  // namespace regard
