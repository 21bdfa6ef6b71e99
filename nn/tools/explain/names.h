#pragma once

#include "nn/tools/parameter_names.h"

#include <string>
#include <vector>

namespace regard {

// The name of this very Variable in a list such as nn::named_parameters(model); empty if it has none. A reader's own
// Variables can be added to the list: {"x", x}.
std::string name_in(const std::vector<NamedParameter>& names, const Variable& x);

}  // namespace regard
