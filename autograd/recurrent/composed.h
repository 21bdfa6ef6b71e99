#pragma once

#include "autograd/variable.h"
#include "tensor/recurrent/sequence.h"

#include <functional>
#include <vector>

namespace regard {

// What a cell remembers between steps: one state, or two. Each is (B, H).
using CellState = std::vector<Variable>;

// One step: from what is projected of the input (B, G·H) and the state before to the state after.
using CellStep = std::function<CellState(const Variable& projected, const CellState& before)>;

// A sequence as what it is: a cell in a loop. Returns all states of each kind, (L + 1, B, H); see
// tensor/recurrent/sequence.h.
std::vector<Variable> composed_sequence(const Variable& projected, CellState initial, const SequenceOptions& options,
                                        const CellStep& step);

}  // namespace regard
