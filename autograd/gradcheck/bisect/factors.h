#pragma once

#include "autograd/gradcheck/bisect/mistake.h"
#include "autograd/gradcheck/bisect/table.h"

#include <optional>

namespace regard::bisecting {

// Is a factor missing in the derivatives, or too much, or another one than should be there? What is tried: each input
// and the result of operation k, as it is, squared, as 1 − it, and as 1 − its square.
std::optional<Mistake> wrong_factor(const RecordedRun& run, std::size_t k, const Derivatives& d);

}  // namespace regard::bisecting
