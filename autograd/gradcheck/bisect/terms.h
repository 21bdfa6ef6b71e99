#pragma once

#include "autograd/gradcheck/bisect/mistake.h"

#include <optional>
#include <string>

namespace regard::bisecting {

// Derivatives in words. All is one fit: numbers u are wanted so that each row of one table is u times the row of
// another. They are worked out, and then looked for among products c·a·b of a few forms: inputs and result as they are,
// their squares, sines, what is left of 1, … This reads what a rule lacks off the two tables, by the rule and measured.

// What the derivatives by the rule lack as a factor: "input 0", or "1/(the result)".
std::optional<std::string> missing_factor(const RecordedRun& run, std::size_t operation, const Derivatives& d);

// A table as a term c·u·g, as sums c·u·Σ g·v over one axis each, or as several of these: "−the result·Σ g·the result
// over axis -1".
std::optional<std::string> sum_of_terms(const RecordedRun& run, std::size_t operation, const Derivatives& d,
                                        const Tensor& table);

// A factor as people write it: "2", "−1/3"; or with the axis whose size it is: "1/3, where 3 is the size of axis 0 of
// the result". Roots are those of sizes only. Nothing for numbers such as 0.3712, which nobody would write by mistake.
std::optional<std::string> as_written(double c, const Derivatives& d);

}  // namespace regard::bisecting
