#include "examples/trainers/verdict.h"

#include "examples/trainers/terminal.h"

#include <fmt/format.h>

#include <algorithm>

namespace regard {

std::string table_of(const std::vector<Measure>& measures, int columns) {
  int longest_name = terminal::columns_of("measure"), longest_requirement = terminal::columns_of("to pass");
  for (const Measure& m : measures) {
    longest_name = std::max(longest_name, terminal::columns_of(m.name));
    longest_requirement = std::max(longest_requirement, terminal::columns_of(m.requirement));
  }
  const auto numbers = [&](const std::string& value, const std::string& requirement, const std::string& verdict) {
    return fmt::format(" {:>9}  {}{}", value, terminal::padded(requirement, longest_requirement), verdict);
  };
  const bool in_one_row = columns == 0 || longest_name + terminal::columns_of(numbers("", "", "  pass")) <= columns;
  const auto row = [&](const std::string& name, const std::string& rest) {
    if (in_one_row) return terminal::padded(name, longest_name) + rest + "\n";
    std::string text;
    for (const std::string& line : terminal::lines_of(name, columns)) text += line + "\n";
    return text + rest + "\n";
  };
  std::string table = row("measure", fmt::format(" {:>9}  to pass", "value"));
  for (const Measure& m : measures)
    table += row(m.name, numbers(fmt::format("{:.4g}", m.value), m.requirement, m.passed ? "  pass" : "  FAIL"));
  return table;
}

}  // namespace regard
