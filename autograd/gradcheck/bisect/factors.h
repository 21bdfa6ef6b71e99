#pragma once

#include "autograd/gradcheck/bisect/mistake.h"
#include "autograd/gradcheck/bisect/table.h"

#include <optional>

namespace regard::bisecting {

// Is a factor missing in the derivatives, or too much, or another one than should be there? What is tried: each input
// and the result of operation k, as it is, squared, as 1 − it, and as 1 − its square.
std::optional<Mistake> wrong_factor(const RecordedRun& run, std::size_t k, const Derivatives& d);

// Is a term missing, or another one there? What is off (the measured derivatives minus those of the rule) is fitted by
// c·u·Σ g·v over an axis, or without a sum, and by two such sums over different axes: "−the result·Σ g·the result over
// axis -1 has to be added to it". Of the first kind u may be any numbers: they are read off, and named as a product of
// two inputs, the result, or what is often made of them. If that fails, the measured derivatives are fitted in the same
// way: "it should be g·input 0·cos(input 1)".
std::optional<std::string> missing_sum(const RecordedRun& run, std::size_t k, const Derivatives& d);

}  // namespace regard::bisecting
