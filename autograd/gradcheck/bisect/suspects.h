#pragma once

#include "autograd/gradcheck/bisect/recorded_run.h"

#include <cstddef>
#include <vector>

namespace regard::bisecting {

// The operations whose rule does not agree with how their results move, in their order. First all values move at once,
// in four runs of the function. An operand that has so little influence beside the others that a mistake in its
// gradient would not show is tested again, while the others stand still: four more runs for as many such operands as
// can move together. Rounding may make an operation a suspect, too.
std::vector<std::size_t> suspects(const RecordedRun& run);

// Where a value leaves the record, by item(), value() or detach(), and comes back as a number, no gradient flows. That
// may be meant or not; but how the result of an operation then moves says nothing about its rule.

// Does an input of the operation move when nothing but its operands does? As detach(max(x)) does in x − detach(max(x)).
bool input_moves_along(const RecordedRun& run, std::size_t operation);

// Does its result move when its operands do not, but all other values do?
bool moves_with_others(const RecordedRun& run, std::size_t operation);

// May its rule hold something that moves when its operands do? It may have been taken out of the record; or it was
// computed on the way for the gradient, and then it is meant to move.
bool holds_what_moves_along(const RecordedRun& run, std::size_t operation);

}  // namespace regard::bisecting
