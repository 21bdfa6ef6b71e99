#include "tests/gradcheck/table.h"

#include <nlohmann/json.hpp>

namespace regard::gradcheck_table {
namespace {

using cases::Case;
using nlohmann::ordered_json;

ordered_json to_json(const Shape& shape) { return std::vector<std::int64_t>(shape.begin(), shape.end()); }

ordered_json to_json(const gradchecks::CheckedElement& e) {
  return {{"order", e.order},     {"input", e.input}, {"index", e.index}, {"analytic", e.analytic},
          {"numeric", e.numeric}, {"noise", e.noise}, {"error", e.error}};
}

}  // namespace

int print_operations_table();

int print_operations(bool as_json) {
  if (!as_json) return print_operations_table();
  ordered_json rows = ordered_json::array();
  for (const OpInfo& op : op_list)
    rows.push_back({{"name", op.name},
                    {"formula", op.formula},
                    {"rule", op.rule},
                    {"differentiable", op.kind != OpKind::not_differentiable},
                    {"kinked", op.kind == OpKind::kinked},
                    {"broadcasts", op.operands == OpInfo::Operands::stretched}});
  fmt::print("{}\n", rows.dump(2));
  return 0;
}

int print_json(const std::vector<Case>& rows, const std::vector<GradcheckReport>& reports) {
  ordered_json list = ordered_json::array();
  bool passed = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const GradcheckReport& report = reports[i];
    ordered_json row = {{"case", rows[i].id},
                        {"operation", rows[i].op->name},
                        {"formula", rows[i].op->formula},
                        {"verdict", name_of(report.verdict)},
                        {"reason", report.reason},
                        {"elements", report.element_count},
                        {"worst_first_order", report.worst},
                        {"worst_second_order", report.worst_second},
                        {"worst_element", to_json(report.worst_element)}};
    row["inputs"] = ordered_json::array();
    for (const Shape& shape : report.shapes) row["inputs"].push_back(to_json(shape));
    for (const gradchecks::CheckedElement& element : report.elements) row["every_element"].push_back(to_json(element));
    list.push_back(std::move(row));
    passed = passed && report.passed();
  }
  fmt::print("{}\n", list.dump(2));
  return passed ? 0 : 1;
}

int print_inputs() {
  ordered_json list = ordered_json::array();
  for (const Case& row : cases::all_cases()) {
    ordered_json inputs = ordered_json::array();
    for (const Variable& input : row.inputs)
      inputs.push_back(
          {{"dtype", name_of(input.dtype())}, {"shape", to_json(input.shape())}, {"data", to_vector(input.value())}});
    list.push_back({{"case", row.id}, {"operation", row.op->name}, {"inputs", std::move(inputs)}});
  }
  fmt::print("{}\n", list.dump());
  return 0;
}

}  // namespace regard::gradcheck_table
