#pragma once

#include "autograd/variable.h"

#include <string>
#include <vector>

namespace regard {

// A Variable and the name by which a reader knows it. nn::named_parameters(model) lists those of a model;
// {"x", x} is one of your own.
struct NamedParameter {
  std::string name;
  Variable parameter;
};

// The name of this very Variable in the list; empty if it has none.
std::string name_in(const std::vector<NamedParameter>& names, const Variable& x);

}  // namespace regard
