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

// Is a factor missing in the derivatives, or too much, or another one than should be there? What is tried: each input
// and the result of operation k, as it is, squared, as 1 − it, and as 1 − its square.
std::optional<Mistake> wrong_factor(const RecordedRun& run, std::size_t k, const Derivatives& d);

// Is a term missing, or another one there? What is off (the measured derivatives minus those of the rule) is fitted by
// c·u·Σ g·v over an axis, or without a sum, and by two such sums over different axes: "−the result·Σ g·the result over
// axis -1 has to be added to it". Of the first kind u may be any numbers: they are read off, and named as a product of
// two inputs, the result, or what is often made of them. If that fails, the measured derivatives are fitted in the same
// way: "it should be g·input 0·cos(input 1)".
std::optional<std::string> missing_sum(const RecordedRun& run, std::size_t k, const Derivatives& d);

// A factor as people write it: "2", "−1/3", "√8"; with the axis whose size it is: "1/3, where 3 is the size of axis 0
// of the result". Nothing for numbers such as 0.3712, which nobody would write by mistake.
std::optional<std::string> as_written(double c, const Shape& input, const Shape& result);

}  // namespace regard::bisecting
