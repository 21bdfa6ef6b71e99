#include "autograd/parameter_names.h"

#include "autograd/record.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace regard {

ParameterNames::ParameterNames(const std::vector<NamedParameter>& list) {
  for (const NamedParameter& one : list) names_.try_emplace(one.parameter.order(), Entry{names_.size(), one.name});
}

const std::string* ParameterNames::name_of(const Variable& x) const {
  const auto found = names_.find(x.order());
  return found == names_.end() ? nullptr : &found->second.name;
}

std::vector<std::string> ParameterNames::nearest(const graph::Inputs& inputs) const {
  std::map<std::size_t, std::string> found;
  std::set<std::uint64_t> seen;
  std::vector<Variable> waiting;
  // Beside a parameter, such as the weight of a linear layer, there is an input: what that was made from is further
  // away than the parameter.
  const auto go_to = [&](const graph::Inputs& list) {
    const bool has_parameter = std::any_of(list.begin(), list.end(), [&](const Variable& x) { return name_of(x); });
    for (const Variable& x : list)
      if (!has_parameter || name_of(x)) waiting.push_back(x);
  };
  if (!names_.empty()) go_to(inputs);
  while (!waiting.empty()) {
    const Variable x = std::move(waiting.back());
    waiting.pop_back();
    if (!seen.insert(x.order()).second) continue;
    if (const auto known = names_.find(x.order()); known != names_.end())
      found.emplace(known->second.place, known->second.name);
    else if (x.node())
      go_to(x.node()->inputs);
  }
  std::vector<std::string> names;
  for (const auto& [place, name] : found) names.push_back(name);
  return names;
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
