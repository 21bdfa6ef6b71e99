#pragma once

#include "autograd/gradcheck/bisect/table.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace regard::bisecting {

// What may be wrong with a rule. The mistakes are tried one after the other: would the derivatives by the rule be the
// measured ones if it had made this one?
struct Mistake {
  enum class Kind {
    not_finite,      // it returns NaN or an infinity
    small_ones,      // only derivatives that are small beside the others are off
    swapped,         // it returns the gradient of another input
    zero,            // it returns 0
    sign,            // −1 times the right one
    factor,          // a constant times the right one
    transposed,      // the gradient, or an input in the rule, or two axes of the same size in a sum
    missing_factor,  // one of the inputs, or the result, or its square, … is missing
    extra_factor,    // or is there and should not be, or should divide and does not
    other_factor,    // one of them stands where another should
    partial_sum,     // of an axis only some indexes are counted
    missing_term,    // elements that have an influence are left out
    other_term,      // a term is missing, has the wrong sign, or is a sum over other axes
    none_of_those,
    too_large,  // the operation has too many elements for experiments
  };
  Kind kind;
  std::string text;  // what to look at: "the gradient is 2 times the right one"
};
std::string_view name_of(Mistake::Kind kind);

// What is wrong with the gradient of operand `which` of operation k.
Mistake likely_mistake(const RecordedRun& run, std::size_t k, const std::vector<Derivatives>& all, std::size_t which);

}  // namespace regard::bisecting
