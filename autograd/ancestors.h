#pragma once

#include "autograd/record.h"

#include <set>

namespace regard::graph {

// Calls visit(x) once for each of some Variables and each that they were made from. Where visit returns false, it does
// not go on to what x was made from.
template <class Visit>
void for_each_ancestor(std::vector<Variable> waiting, const Visit& visit) {
  std::set<std::uint64_t> seen;
  while (!waiting.empty()) {
    const Variable x = std::move(waiting.back());
    waiting.pop_back();
    if (!seen.insert(x.order()).second || !visit(x) || !x.node()) continue;
    waiting.insert(waiting.end(), x.node()->inputs.begin(), x.node()->inputs.end());
  }
}

}  // namespace regard::graph
