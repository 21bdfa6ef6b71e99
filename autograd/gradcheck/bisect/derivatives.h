#pragma once

#include "autograd/gradcheck/bisect/recorded_run.h"

#include <cstddef>
#include <vector>

namespace regard::bisecting {

// All derivatives of the result y of an operation with respect to one of its inputs x: ∂y[n]/∂x[m] stands at m·N + n,
// where N is the number of elements of y. A gradient is ∂x[m] = Σₙ g[n]·∂y[n]/∂x[m], so this table says for every part
// of a gradient whether it is right.
struct Derivatives {
  Shape x, y;
  std::size_t place = 0;                  // of x among the inputs of the operation
  std::vector<double> measured, by_rule;  // by_rule: what the rule returns for gradients that are 1 at n and else 0
  // Where nothing can be measured, as at an infinity, both are 0.
};

// The table has at most so many rows, one for each element of x, and so many columns.
inline constexpr std::int64_t most_rows = 512, most_columns = 4096;
bool are_small_enough(const RecordedRun& run, std::size_t k);

// Of operation k, one for each of its operands.
std::vector<Derivatives> derivatives(const RecordedRun& run, std::size_t k);

// The same as by_rule of the operand at `place`, if the rule saw the input at `other` transposed.
std::vector<double> by_rule_with_transposed(const RecordedRun& run, std::size_t k, std::size_t place,
                                            std::size_t other);

}  // namespace regard::bisecting
