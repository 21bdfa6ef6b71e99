#pragma once

#include "autograd/variable.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace regard::lab {

// A formula as somebody types it, such as "q*k/sqrt(D)": numbers, names, + − * / ^, brackets, and functions of one
// argument: abs cos exp log sigmoid sin sqrt tanh. A power has a number behind ^.
//
//   sum     = product {("+" | "-") product}
//   product = signed {("*" | "/") signed}
//   signed  = ["-"] power                                −a^2 is −(a^2)
//   power   = atom ["^" ["-"] number]
//   atom    = number | name | function "(" sum ")" | "(" sum ")"
class Expression {
 public:
  struct Part {
    std::string text;                // "+", "tanh", "q", "0.5"
    std::vector<std::size_t> parts;  // the numbers of its operands, which come before it
    double number = 0;               // of a number, and of the exponent of a power
  };
  struct Named {
    std::string name;
    Variable value;
  };

  // What is not understood is a ValueError that says where.
  explicit Expression(std::string_view text, const std::vector<std::string>& names);

  const std::vector<Part>& parts() const { return parts_; }  // the last one is the whole
  bool uses(std::string_view name) const;

  // The values of all parts.
  std::vector<Variable> values(const std::vector<Named>& names) const;

 private:
  std::vector<Part> parts_;
};

}  // namespace regard::lab
