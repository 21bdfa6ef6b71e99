#pragma once

#include "autograd/record.h"

#include <set>

namespace regard::graph {

// Calls visit(x) once for each Variable that some Variables were made from, and for them themselves. It does not go on
// behind one for which visit returns false.
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
