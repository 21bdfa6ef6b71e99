#include "nn/tools/parameter_names.h"

#include "autograd/ancestors.h"

#include <algorithm>

namespace regard {

ParameterNames::ParameterNames(const std::vector<NamedParameter>& list) {
  for (const NamedParameter& one : list) names_.try_emplace(one.parameter.order(), Entry{names_.size(), one.name});
}

const std::string& ParameterNames::name_of(const Variable& x) const& {
  static const std::string none;
  const auto found = names_.find(x.order());
  return found == names_.end() ? none : found->second.name;
}

std::vector<std::string> ParameterNames::nearest(const graph::Inputs& inputs) const {
  std::map<std::size_t, std::string> found;
  // Whether there are any. Beside a parameter, such as the weight of a linear layer, there is an input: what that was
  // made from is further away than the parameter.
  const auto find_among = [&](const graph::Inputs& list) {
    bool any = false;
    for (const Variable& x : list)
      if (const auto known = names_.find(x.order()); known != names_.end())
        any = true, found.emplace(known->second.index, known->second.name);
    return any;
  };
  if (!names_.empty() && !find_among(inputs))
    for (const auto& [order, result] : nearest_uses(inputs)) find_among(result.node()->inputs);
  std::vector<std::string> names;
  for (const auto& [index, name] : found) names.push_back(name);
  return names;
}

// The results of the nearest operations that use a parameter, by their order.
std::map<std::uint64_t, Variable> ParameterNames::nearest_uses(const graph::Inputs& inputs) const {
  std::map<std::uint64_t, Variable> uses;
  std::vector<Variable> before;
  graph::for_each_ancestor({inputs.begin(), inputs.end()}, [&](const Variable& x) {
    if (!x.node()) return false;
    const graph::Inputs& list = x.node()->inputs;
    if (std::ranges::all_of(list, [&](const Variable& input) { return name_of(input).empty(); })) return true;
    uses.emplace(x.order(), x);
    before.insert(before.end(), list.begin(), list.end());
    return false;
  });
  graph::for_each_ancestor(before, [&](const Variable& x) {  // a use that leads to another one is not near
    uses.erase(x.order());
    return x.order() > uses.begin()->first;  // what was made earlier than the first use can lead to none
  });
  return uses;
}

std::string module_of(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  const auto path_of = [](std::string_view name) { return name.substr(0, name.rfind('.') + 1); };  // with its dot
  std::string_view common = path_of(names.front());
  for (const std::string& name : names)
    while (!name.starts_with(common)) common = path_of(common.substr(0, common.size() - 1));
  return std::string(common.substr(0, common.empty() ? 0 : common.size() - 1));
}

}  // namespace regard
