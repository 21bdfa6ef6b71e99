#include "tests/gradcheck/table.h"

#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace regard::gradcheck_table {
namespace {

using cases::Case;

std::string_view name_of(OpKind kind) {
  switch (kind) {
    case OpKind::smooth: return "smooth";
    case OpKind::kinked: return "kinked";
    case OpKind::not_differentiable: return "not differentiable";
  }
  return "?";
}

std::string padded(std::string text, std::size_t columns) {
  text.append(columns - std::min(columns, letter_count(text)), ' ');
  return text;
}

// Rows of text in columns as wide as their widest entry.
class Columns {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  void print() const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], letter_count(row[i]));
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      std::string line;
      for (std::size_t i = 0; i < rows_[r].size(); ++i) line += padded(rows_[r][i], widths[i]) + "  ";
      line.erase(line.find_last_not_of(' ') + 1);
      fmt::print("{}\n", line);
      if (r == 0) {
        std::size_t total = 0;
        for (std::size_t w : widths) total += w + 2;
        for (std::size_t i = 0; i + 2 < total; ++i) fmt::print("─");
        fmt::print("\n");
      }
    }
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string coloured(gradchecks::Verdict verdict) {
  const std::string name(name_of(verdict));
  if (!::isatty(STDOUT_FILENO)) return name;
  return fmt::format("\x1b[{}m{}\x1b[0m", verdict == gradchecks::Verdict::pass ? 32 : 31, name);
}

std::string scientific(double error) { return error == 0 ? "0" : fmt::format("{:.1e}", error); }

void print_elements(const GradcheckReport& report) {
  for (const gradchecks::CheckedElement& e : report.elements) {
    const bool is_cotangent = e.input >= report.shapes.size();
    const std::string where = is_cotangent
                                  ? fmt::format("cotangent[{}]", e.index)
                                  : fmt::format("input {}{}", e.input, index_of(report.shapes[e.input], e.index));
    fmt::print("    order {}  {}  analytic {:+.12e}  numeric {:+.12e}  error {}\n", e.order, padded(where, 18),
               e.analytic, e.numeric, scientific(e.error));
  }
}

}  // namespace

int print_operations_table() {
  Columns columns;
  columns.add({"operation", "formula", "gradient", "kind"});
  for (const OpInfo& op : op_list) columns.add({op.name, op.formula, op.rule, std::string(name_of(op.kind))});
  columns.print();
  fmt::print("\n{} operations. y is the result, g the gradient that arrives at it; “= …” is composed of others.\n",
             op_list.size());
  return 0;
}

int print_table(const std::vector<Case>& rows, const std::vector<GradcheckReport>& reports, bool verbose) {
  Columns columns;
  columns.add({"case", "formula", "inputs", "elements", "first order", "second", "verdict"});
  std::int64_t elements = 0;
  int refused = 0;
  double worst = 0, worst_second = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const GradcheckReport& report = reports[i];
    columns.add({rows[i].id, rows[i].op->formula, fmt::format("{}", fmt::join(report.shapes, " ")),
                 fmt::format("{:>8}", report.element_count), fmt::format("{:>11}", scientific(report.worst)),
                 fmt::format("{:>6}", report.order == 2 ? scientific(report.worst_second) : "–"),
                 coloured(report.verdict)});
    elements += report.element_count;
    refused += !report.passed();
    worst = std::max(worst, report.worst);
    worst_second = std::max(worst_second, report.worst_second);
  }
  columns.print();
  for (std::size_t i = 0; verbose && i < rows.size(); ++i) {
    fmt::print("\n  {}\n", rows[i].id);
    print_elements(reports[i]);
  }
  if (refused) fmt::print("\n");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!reports[i].passed()) fmt::print("{} {}: {}\n", coloured(reports[i].verdict), rows[i].id, reports[i].reason);
  fmt::print("\n{} case{}, {} elements, worst relative error {} at first order, {} at second: {}\n", rows.size(),
             rows.size() == 1 ? "" : "s", elements, scientific(worst), scientific(worst_second),
             refused ? fmt::format("{} did not pass", refused) : "all pass");
  return refused ? 1 : 0;
}

int print_power(const std::vector<Case>& rows, const GradcheckOptions& options) {
  int planted = 0, unnoticed = 0;
  for (const Case& row : rows) {
    for (const Variable& input : row.inputs) planted += input.dtype() == DType::f64 ? 2 * options.order : 0;
    for (const std::string& fault : power_check(row.f, row.inputs, options)) {
      fmt::print("NOT NOTICED  {}: {}\n", row.id, fault);
      ++unnoticed;
    }
  }
  fmt::print("{} wrong gradients planted in {} cases, {} noticed\n", planted, rows.size(), planted - unnoticed);
  return unnoticed ? 1 : 0;
}

}  // namespace regard::gradcheck_table
