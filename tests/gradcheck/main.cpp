#include "tests/gradcheck/table.h"

#include <CLI/CLI.hpp>

#include <algorithm>

using namespace regard;
using cases::Case;

namespace {

// "soft*" matches by shell rules of * and ?; a plain word is found as an operation or as a whole case id.
bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') return matches(pattern.substr(1), text) || (!text.empty() && matches(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) && matches(pattern.substr(1), text.substr(1));
}

std::vector<Case> chosen(const std::vector<std::string>& patterns) {
  const std::vector<Case> all = cases::differentiable_cases();
  if (patterns.empty()) return all;
  std::vector<Case> result;
  for (const std::string& pattern : patterns) {
    const std::size_t before = result.size();
    for (const Case& row : all)
      if (matches(pattern, row.id) || matches(pattern, row.op->name)) result.push_back(row);
    if (result.size() > before) continue;
    const OpInfo* op = find_op(pattern);
    if (op && op->kind == OpKind::not_differentiable)
      fail<ValueError>("'{}' is not differentiable: {}", pattern, op->rule);
    fail<ValueError>("no case matches '{}' (gradcheck --list shows the operations)", pattern);
  }
  return result;
}

std::vector<Variable> in_dtype(const std::vector<Variable>& inputs, DType dtype) {
  std::vector<Variable> result;
  for (const Variable& input : inputs)
    result.push_back(is_float(input.dtype()) ? Variable(to(input.value(), dtype)) : input);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Checks gradients: the ones the rules give against slopes measured in f64, element by element.");
  std::vector<std::string> patterns;
  bool list = false, json = false, verbose = false, power = false, inputs = false;
  GradcheckOptions options;
  std::string dtype = "f64", layout = "contiguous";
  app.add_option("patterns", patterns,
                 "Operations or cases to check, such as: softmax 'soft*' matmul/batch (default: all)");
  app.add_flag("--list", list, "Print the table of operations with their formulas and rules");
  app.add_option("--order", options.order, "1: gradients; 2: second derivatives too")
      ->check(CLI::IsMember({1, 2}))
      ->capture_default_str();
  app.add_option("--dtype", dtype, "The type of the inputs; f32 is refused, and the verdict says why")
      ->check(CLI::IsMember({"f64", "f32"}))
      ->capture_default_str();
  app.add_option("--eps", options.eps, "Step of the measured slopes, relative to the input")
      ->check(CLI::Range(1e-12, 1e-1))
      ->capture_default_str();
  app.add_option("--tolerance", options.tolerance, "Largest relative error that passes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the random cotangent")->capture_default_str();
  app.add_option("--layout", layout, "How inputs lie in memory; strided: every second element, NaN in between")
      ->check(CLI::IsMember({"contiguous", "strided"}))
      ->capture_default_str();
  app.add_flag("--power", power, "Check the checker: plant wrong gradients in each case and see them refused");
  app.add_flag("--verbose", verbose, "Print every element: analytic, numeric, error");
  app.add_flag("--json", json, "Print JSON instead of a table");
  app.add_flag("--inputs", inputs, "Print the inputs of every case as JSON, for other frameworks to compute with");
  CLI11_PARSE(app, argc, argv);

  try {
    options.keep_elements = verbose;
    options.layout = layout == "strided" ? Layout::strided : Layout::contiguous;
    if (list) return gradcheck_table::print_operations(json);
    if (inputs) return gradcheck_table::print_inputs();
    const std::vector<Case> rows = chosen(patterns);
    if (power) return gradcheck_table::print_power(rows, options);
    std::vector<GradcheckReport> reports;
    for (const Case& row : rows)
      reports.push_back(gradcheck(row.f, in_dtype(row.inputs, dtype == "f32" ? DType::f32 : DType::f64), options));
    return json ? gradcheck_table::print_json(rows, reports) : gradcheck_table::print_table(rows, reports, verbose);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gradcheck: {}\n", error.what());
    return 2;
  }
}
