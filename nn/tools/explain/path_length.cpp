#include "nn/tools/explain/path_length.h"

#include "autograd/record.h"

#include <set>

namespace regard {

// Goes back from y a step at a time, in all directions.
std::int64_t path_length(const Variable& y, const Variable& x) {
  std::set<std::uint64_t> reached{y.order()};
  std::vector<Variable> now{y};
  for (std::int64_t length = 0; !now.empty(); ++length) {
    std::vector<Variable> next;
    for (const Variable& one : now) {
      if (one.same_as(x)) return length;
      if (!one.node()) continue;
      for (const Variable& input : one.node()->inputs)
        if (reached.insert(input.order()).second) next.push_back(input);
    }
    now = std::move(next);
  }
  return -1;
}

}  // namespace regard
