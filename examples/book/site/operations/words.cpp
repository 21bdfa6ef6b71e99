#include "examples/book/site/operations/words.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/text.h"

namespace regard::site {

std::string as_markdown(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#~$&!").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string power_of_ten(double number) {
  if (!std::isfinite(number)) return "∞";
  if (number == 0) return "0";
  const std::string written = fmt::format("{:.1e}", number);  // 1.2e-16
  const std::size_t e = written.find('e');
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const std::string exponent = std::to_string(std::stoi(written.substr(e + 1)));
  std::string raised;
  for (const char c : exponent) raised += c == '-' ? "⁻" : digits[c - '0'];
  return written.substr(0, e) + "·10" + raised;
}

std::string with_commas(long number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string counted(long number, std::string_view what) {
  return fmt::format("{} {}{}", with_commas(number), what, number == 1 ? "" : "s");
}

std::string in_millions(double number) {
  const double millions = number / 1e6;
  return millions < 10 ? fmt::format("{:.1f}", millions) : with_commas(std::lround(millions));
}

std::string per_second(double elements) { return in_millions(elements) + " million"; }

namespace {

// Formulas that stand side by side have some room between them. Below each other they fit a narrow page.
std::vector<std::string> parts_between_gaps(std::string_view line) {
  constexpr std::string_view gap = "   ";
  std::vector<std::string> parts;
  while (!(line = line.substr(std::min(line.find_first_not_of(' '), line.size()))).empty()) {
    parts.push_back(trimmed(line.substr(0, line.find(gap))));
    line = line.substr(std::min(line.find(gap), line.size()));
  }
  return parts;
}

}  // namespace

std::string comment_as_markdown(const std::vector<std::string>& comment) {
  std::string text;
  bool indented = false;
  for (const std::string& line : comment) {
    const bool is_formula = line.starts_with("  ");
    if (is_formula != indented) text += is_formula ? "\n\n```\n" : "```\n\n";
    indented = is_formula;
    if (is_formula) {
      for (const std::string& formula : parts_between_gaps(line)) text += formula + "\n";
    } else if (trimmed(line).empty()) {
      text += "\n\n";
    } else {
      text += as_markdown(trimmed(line)) + "\n";
    }
  }
  return text + (indented ? "```\n" : "");
}

std::string code_block(const std::string& file, int line, const std::vector<std::string>& code) {
  return fmt::format("```cpp at {} {}\n{}\n```\n", file, line, fmt::join(code, "\n"));
}

}  // namespace regard::site
