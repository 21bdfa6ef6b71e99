#include "tests/cases/coverage.h"

#include <algorithm>
#include <map>
#include <set>

namespace regard::cases {
namespace {

// What happens to one operation anywhere in the graphs of its own cases.
struct Seen {
  bool has_case = false, recorded = false, different_shapes = false, non_contiguous = false;
  std::size_t slots = 0;
  std::set<std::size_t> checked_slots;
};

bool is_composed(const OpInfo& op) { return op.rule[0] == '='; }

// Visits every operation behind x once.
void for_each_node(const Variable& x, std::set<const graph::Node*>& visited,
                   const std::function<void(const graph::Node&)>& visit) {
  if (!x.node() || !visited.insert(x.node()).second) return;
  visit(*x.node());
  for (const Variable& input : x.node()->inputs) for_each_node(input, visited, visit);
}

Variable strided_leaf(const Variable& x) {
  if (!is_float(x.dtype())) return x;
  if (x.rank() == 0) return parameter(x.value());
  const Tensor wide = stack({x.value(), x.value()}, -1);
  return parameter(select(wide, -1, 0));
}

void look_at(const Case& row, Seen& seen) {
  seen.has_case = true;
  std::vector<Variable> leaves;
  std::set<std::string> shapes;
  for (const Variable& input : row.inputs) {
    leaves.push_back(strided_leaf(input));
    shapes.insert(to_string(input.shape()));
    seen.non_contiguous = seen.non_contiguous || !leaves.back().value().is_contiguous();
  }
  seen.different_shapes = seen.different_shapes || shapes.size() > 1;
  std::set<const graph::Node*> visited;
  for_each_node(row.f(leaves), visited, [&](const graph::Node& node) {
    if (&node.op != row.op) return;
    seen.recorded = true;
    seen.slots = std::max(seen.slots, node.inputs.size());
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i].requires_grad()) seen.checked_slots.insert(i);
  });
}

}  // namespace

std::vector<std::string> gaps_in(const std::vector<Case>& table) {
  std::map<std::string, Seen> seen;
  for (const Case& row : table) look_at(row, seen[row.op->name]);
  std::vector<std::string> gaps;
  for (const OpInfo& op : op_list) {
    const Seen& s = seen[op.name];
    const auto gap = [&](bool is_gap, const char* what) {
      if (is_gap) gaps.push_back(fmt::format("{}: {}", op.name, what));
    };
    gap(!s.has_case, "has no case");
    if (!s.has_case) continue;
    gap(op.operands == OpInfo::Operands::stretched && !s.different_shapes,
        "has no case with operands of different shapes");
    if (op.kind == OpKind::not_differentiable) continue;
    gap(!s.non_contiguous, "has no case with a non-contiguous input");
    gap(!is_composed(op) && !s.recorded, "is not recorded by its own cases");
    gap(s.checked_slots.size() < s.slots, "has an input that never requires a gradient");
  }
  return gaps;
}

}  // namespace regard::cases
