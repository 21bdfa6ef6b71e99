#pragma once

#include "autograd/variable.h"

#include <concepts>
#include <string_view>

namespace regard {

// Products and sums by letters, as in NumPy: a letter for each axis of each operand, and for those of the result.
//   einsum("bqd,bkd->bqk", q, k):   y(b, q, k) = Σ q(b, q, d)·k(b, k, d), over d, which the result does not have
// The same letter is the same index, and its axes must have one size; twice in one operand it is the diagonal, so that
// einsum("ii->", x) is the trace. Without -> the result has the letters that occur once, in alphabetical order. "..."
// is not known here. Operands are multiplied from left to right, two at a time.
Variable einsum(std::string_view formula, const std::vector<Variable>& operands);

template <std::convertible_to<Variable>... Each>
Variable einsum(std::string_view formula, const Each&... operands) {
  return einsum(formula, std::vector<Variable>{operands...});
}

}  // namespace regard
