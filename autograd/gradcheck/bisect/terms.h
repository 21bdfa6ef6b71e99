#pragma once

#include "autograd/gradcheck/bisect/table.h"

#include <optional>
#include <string>
#include <vector>

namespace regard::bisecting {

// Derivatives in words. All is one fit: numbers u are wanted so that each row of one table is u times the row of
// another. They are worked out, and then looked for among products c·a·b of a few forms: inputs and result as they are,
// their squares, sines, what is left of 1, … This reads what a rule lacks off the two tables, by the rule and measured.

// A form has a number for each element of a shape, and is written "exp(input 1)". The first one is 1, and has no text.
struct Form {
  std::string text;
  Tensor values;  // (n, 1)
};

class Terms {
 public:
  Terms(const RecordedRun& run, std::size_t k, const Derivatives& d);

  // What the derivatives by the rule lack as a factor: "input 0", or "1/(the result)".
  std::optional<std::string> missing_factor() const;

  // A table as a term c·u·g, as sums c·u·Σ g·v over one axis each, or as several of these: "−the result·Σ g·the result
  // over axis -1".
  std::optional<std::string> sum_of_terms(const Tensor& table) const;

 private:
  struct Fit {
    std::string before;  // "2·input 0·", what stands before a factor; empty for 1
    Tensor u;
  };
  std::optional<Fit> multiplier(const Tensor& from, const Tensor& to, const std::vector<Form>& forms) const;
  std::optional<std::string> named(const Tensor& u, const Tensor& counts, const std::vector<Form>& forms) const;
  std::optional<std::string> in_front(double c) const;
  Tensor same_place(int but) const;

  const Derivatives& d_;
  std::vector<Form> beside_x_, beside_y_;
};

// A factor as people write it: "2", "−1/3"; or with the axis whose size it is: "1/3, where 3 is the size of axis 0 of
// the result". Roots are those of sizes only. Nothing for numbers such as 0.3712, which nobody would write by mistake.
std::optional<std::string> as_written(double c, const Derivatives& d);

}  // namespace regard::bisecting
