#pragma once

#include "tests/cases/case.h"

namespace regard::cases {

// What the cases leave unchecked, as sentences: an operation without a case, or whose cases never record it; an input
// of an operation that never requires a gradient; a broadcasting operation without operands of different shapes; an
// operation whose inputs never lie non-contiguously in memory.
std::vector<std::string> gaps_in(const std::vector<Case>& table);

}  // namespace regard::cases
