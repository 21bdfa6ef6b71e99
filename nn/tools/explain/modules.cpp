#include "nn/tools/explain/modules.h"

#include <algorithm>
#include <map>

namespace regard {
namespace {

bool is_numeral(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

ModulePath in_common(const ModulePath& a, const ModulePath& b) {
  const auto [end, unused] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return {a.begin(), end};
}

ModulePath between(const ModulePath& before, const ModulePath& after) {
  ModulePath path = in_common(before, after);
  if (before.size() > path.size() && is_numbered(before[path.size()])) path.push_back(before[path.size()]);
  return path;
}

}  // namespace

ModulePath path_of(const std::string& module) {
  ModulePath path;
  for (std::size_t begin = 0; begin < module.size();) {
    const std::size_t end = std::min(module.find('.', begin), module.size());
    const std::string word = module.substr(begin, end - begin);
    if (is_numeral(word) && !path.empty() && !is_numbered(path.back()))
      path.back() += "." + word;
    else
      path.push_back(word);
    begin = end + 1;
  }
  return path;
}

std::string name_of(const ModulePath& path) { return join_words(path, "."); }

bool is_numbered(const std::string& part) { return is_numeral(std::string_view(part).substr(part.rfind('.') + 1)); }

std::vector<ModulePath> modules_of(const graph::Trace& steps, const std::vector<NamedParameter>& names) {
  std::map<std::uint64_t, ModulePath> named;  // by the order of the parameter
  for (const auto& [name, parameter] : names)
    if (const std::size_t dot = name.rfind('.'); dot != std::string::npos)
      named.try_emplace(parameter.order(), path_of(name.substr(0, dot)));

  std::vector<ModulePath> modules(steps.size());
  std::vector<std::size_t> waiting;  // operations that no module is known of yet
  std::optional<ModulePath> before;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].op()) continue;
    std::optional<ModulePath> known;
    for (const std::size_t input : steps[i].inputs)
      if (const auto found = named.find(steps[input].result.order()); found != named.end())
        known = known ? in_common(*known, found->second) : found->second;
    if (!known) {
      waiting.push_back(i);
      continue;
    }
    if (before)
      for (const std::size_t between_both : waiting) modules[between_both] = between(*before, *known);
    waiting.clear();
    modules[i] = *known;
    before = known;
  }
  return modules;
}

}  // namespace regard
