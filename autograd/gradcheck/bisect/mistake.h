#pragma once

#include "autograd/gradcheck/bisect/table.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace regard::bisecting {

// What may be wrong with a rule. The mistakes are tried one after the other: would the derivatives by the rule be the
// measured ones if it had made this one?
struct Mistake {
  enum class Kind {  // in the order of their names in mistake.cpp
    not_finite,      // it returns NaN or an infinity
    small_ones,      // only derivatives that are small beside the others are off
    zero,            // it returns 0
    sign,            // −1 times the right one
    factor,          // a constant times the right one
    swapped,         // it returns the gradient of another input
    transposed,      // the gradient, or an input in the rule, or two axes of the same size in a sum
    partial_sum,     // of an axis only some indexes are counted
    missing_factor,  // it lacks a factor made of the inputs and the result: "input 0", or "1/(the result)" to divide by
    missing_term,    // elements that have an influence are left out
    other_term,      // a term is missing, has the wrong sign, or is a sum over other axes
    none_of_those,
    too_large,  // the operation has too many elements for experiments
  };
  Kind kind;
  std::string text;  // what to look at: "it is the right one times 2"
};
std::string_view name_of(Mistake::Kind kind);

// "by the rule 3, measured 2", with more digits where six do not show the difference.
std::string both(double by_rule, double measured);

// What is wrong with the gradient of operand `which` of operation k.
Mistake likely_mistake(const RecordedRun& run, std::size_t k, const std::vector<Derivatives>& all, std::size_t which);

}  // namespace regard::bisecting
