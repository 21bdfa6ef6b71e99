#include "nn/tools/explain/names.h"

namespace regard {

std::string name_in(const std::vector<NamedParameter>& names, const Variable& x) {
  for (const auto& [name, parameter] : names)
    if (parameter.same_as(x)) return name;
  return "";
}

}  // namespace regard
