#pragma once

#include "autograd/gradcheck/bisect/suspects.h"

#include <cstddef>
#include <optional>
#include <string>

namespace regard::bisecting {

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
