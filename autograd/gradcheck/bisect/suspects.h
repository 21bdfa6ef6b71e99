#pragma once

#include "autograd/gradcheck/bisect/recorded_run.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace regard::bisecting {

using Moves = RecordedRun::Moves;

// The moves of these values (by their index among those that can be moved); all others stand still.
Moves only(const std::set<std::size_t>& sources, const Moves& moves);
std::set<std::size_t> sources_of(const RecordedRun& run, std::size_t k);  // of the operands of operation k

// The operations whose rule does not agree with how their results move, in their order. First all values move at once,
// in four runs of the function. An operand that has so little influence beside the others that a mistake in its
// gradient would not show is tested again, while the others stand still: as many of them as can in four more runs.
// Rounding may make an operation a suspect, too.
std::vector<std::size_t> suspects(const RecordedRun& run, const Moves& moves);

// Does the rule of operation k agree with how its result moves when only its operands do? Takes four runs.
bool agrees_alone(const RecordedRun& run, std::size_t k, const Moves& moves);

// Where a value leaves the record, by item(), value() or detach(), and comes back as a number, no gradient flows. That
// may be meant or not; but how the result of an operation then moves says nothing about its rule. What is returned is
// the reason, as a sentence.

// Something that operation k uses moves when nothing moves but its operands: detach(max(x)) in x − detach(max(x)), or
// the number max(x).item(). Such an operation is never alone.
std::optional<std::string> unrecorded_with_operands(const RecordedRun& run, std::size_t k, const Moves& moves);

// Something that operation k uses moves when its operands do not, but all other values do.
std::optional<std::string> unrecorded_with_others(const RecordedRun& run, std::size_t k, const Moves& moves);

// Does the rule of operation k hold something that moves when its operands do? It may have been taken out of the
// record; or it was computed on the way for the gradient, and then it is meant to move.
bool rule_moves_with_operands(const RecordedRun& run, std::size_t k, const Moves& moves);

}  // namespace regard::bisecting
