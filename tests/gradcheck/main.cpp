#include "examples/program.h"
#include "tests/gradcheck/table.h"

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
  Program program("Checks gradients: the ones the rules give against slopes measured in f64, element by element.");
  std::vector<std::string> patterns;
  std::optional<int> alarms;
  std::string out = "out";
  bool list = false, json = false, verbose = false, power = false, inputs = false, bisect = false, shrink = false,
       plot = false;
  GradcheckOptions options;
  std::string dtype = "f64", layout = "contiguous";
  program.words("patterns", patterns,
                "Operations or cases to check, such as: softmax 'soft*' matmul/batch (default: all)");
  program.flag("--list", list, "Print the table of operations with their formulas and rules");
  program.option("--order", options.order, "1: gradients; 2: second derivatives too", 1, 2);
  program.choice("--dtype", dtype, "The type of the inputs; f32 is refused, and the verdict says why", {"f64", "f32"});
  program.option("--eps", options.eps, "Step of the measured slopes, relative to the input", 1e-12, 1e-1);
  program.option("--tolerance", options.tolerance, "Largest relative error that passes", 1e-15, 1);
  program.option("--seed", options.seed, "Seed of the random cotangent");
  program.choice("--layout", layout, "How inputs lie in memory; strided: every second element, NaN in between",
                 {"contiguous", "strided"});
  program.flag("--power", power, "Check the checker: plant wrong gradients in each case and see them refused");
  program.option("--alarms", alarms, "Check each case on so many other inputs, and count false alarms", 1, 1000000);
  program.flag("--bisect", bisect, "Test each operation that a case records alone, and say which has a wrong rule");
  program.flag("--shrink", shrink, "Make the inputs of cases that fail as small as possible, and print them as C++");
  program.flag("--plot", plot, "Draw how far measured slopes are off, against the step: a picture of each case");
  program.text("--out", out, "Where pictures go", "DIR");
  program.flag("--verbose", verbose, "Print every element: analytic, numeric, error");
  program.flag("--json", json, "Print JSON instead of a table");
  program.flag("--inputs", inputs, "Print the inputs of every case as JSON, for other frameworks to compute with");
  if (!program.parse(argc, argv)) return program.exit_code();

  try {
    options.keep_elements = verbose;
    options.layout = layout == "strided" ? gradchecks::Layout::strided : gradchecks::Layout::contiguous;
    if (list) return gradcheck_table::print_operations(json);
    if (inputs) return gradcheck_table::print_inputs();
    const std::vector<Case> rows = chosen(patterns);
    if (power) return gradcheck_table::print_power(rows, options);
    if (alarms) return gradcheck_table::print_alarms(rows, *alarms, options);
    if (bisect) return gradcheck_table::print_bisect(rows);
    if (shrink) return gradcheck_table::print_shrunk(rows, options);
    if (plot) return gradcheck_table::plot_errors(rows, options, out);
    std::vector<GradcheckReport> reports;
    for (const Case& row : rows)
      reports.push_back(gradcheck(row.f, in_dtype(row.inputs, dtype == "f32" ? DType::f32 : DType::f64), options));
    return json ? gradcheck_table::print_json(rows, reports) : gradcheck_table::print_table(rows, reports, verbose);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gradcheck: {}\n", error.what());
    return 2;
  }
}
