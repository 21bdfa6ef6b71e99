#include "tests/operations/facts.h"

#include <algorithm>
#include <cstdint>
#include <set>

namespace regard::operation_facts {
namespace {

using cases::Case;

constexpr std::int64_t most = 24;  // more squares than this in a row are too small to be seen

// The place of the only float input, or -1.
int float_input(const Case& row) {
  int found = -1;
  for (std::size_t i = 0; i < row.inputs.size(); ++i) {
    if (!is_float(row.inputs[i].dtype())) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

std::vector<std::vector<double>> rows_of(const Case& row, int which) {
  std::vector<Variable> inputs = row.inputs;
  Variable& x = inputs[static_cast<std::size_t>(which)];
  x = parameter(x.value());
  const std::int64_t outputs = row.f(inputs).numel();
  std::vector<std::vector<double>> rows;
  for (std::int64_t i = 0; i < outputs; ++i)
    rows.push_back(to_vector(grad({select(flatten(row.f(inputs)), 0, i)}, {x}, {.allow_unused = true})[0].value()));
  return rows;
}

bool is_identity(const std::vector<std::vector<double>>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      if (rows[i][j] != (i == j ? 1 : 0)) return false;
  return rows.size() == rows.front().size();
}

// Worth a table of squares: not too large.
bool fits(const Case& row, int which) {
  if (row.op->kind == OpKind::not_differentiable || row.op->operands == OpInfo::Operands::stretched) return false;
  if (which < 0) return false;
  const std::int64_t inputs = row.inputs[static_cast<std::size_t>(which)].numel(), outputs = row.f(row.inputs).numel();
  return inputs > 1 && inputs <= most && outputs >= 1 && outputs <= most;
}

}  // namespace

std::vector<Influence> influences() {
  std::set<const OpInfo*> done;
  for (const Curve& curve : curves()) done.insert(curve.of->op);
  std::vector<Influence> all;
  for (const Case& row : cases::all_cases()) {
    const int which = float_input(row);
    if (!done.insert(row.op).second || !fits(row, which)) continue;  // the first case of each operation decides
    const auto rows = rows_of(row, which);
    if (!is_identity(rows)) all.push_back({&row, rows});
  }
  return all;
}

}  // namespace regard::operation_facts
