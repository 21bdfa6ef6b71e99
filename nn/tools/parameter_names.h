#pragma once

#include "nn/module.h"

#include <map>
#include <utility>

namespace regard {

// Tells where in a model an operation stands. The recorded graph knows no modules, but parameters are among its leaves:
// the module of an operation is the longest common beginning of the names of those that stand nearest before it.
//
//   scores = q·kᵀ    nearest: layers.0.w_q.weight, layers.0.w_k.weight    module: layers.0
//
// The list is one such as nn::named_parameters(model); a reader's own Variables can be added to it: {"x", x}.
class ParameterNames {
 public:
  ParameterNames() = default;
  explicit ParameterNames(const std::vector<NamedParameter>& list);

  const std::string& name_of(const Variable& x) const&;  // empty if it is not in the list
  std::string name_of(const Variable& x) const&& { return std::as_const(*this).name_of(x); }

  // The parameters among the inputs of an operation or, if there are none, the nearest on each way back through the
  // recorded graph: their names, in the order of the list. A parameter is left out if others of them are applied to
  // what it made: behind h + f(h) only the parameters of f are near, not those that h was made with.
  std::vector<std::string> nearest(const graph::Inputs& inputs) const;

 private:
  struct Entry {
    std::size_t index;  // in the list
    std::string name;
  };
  std::map<std::uint64_t, Variable> nearest_uses(const graph::Inputs& inputs) const;

  std::map<std::uint64_t, Entry> names_;  // by Variable::order()
};

// The longest path that all names of parameters begin with: "layers.0" of the two above, "head" of head.weight alone.
// Empty if they have none in common.
std::string module_of(const std::vector<std::string>& names);

}  // namespace regard
