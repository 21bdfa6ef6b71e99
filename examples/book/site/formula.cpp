#include "examples/book/site/formula.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/formula_reader.h"

namespace regard::site {

std::string mathml(std::string_view tex, bool display) {
  const std::string inside = FormulaReader(tex).formula(display);
  return fmt::format("<math{}><mrow>{}</mrow></math>", display ? R"( display="block")" : "", inside);
}

std::vector<std::string> parts_of_display(std::string_view tex) {
  static constexpr std::string_view gap = "\\qquad";
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t i = 0; i < tex.size(); ++i) {
    const std::string_view rest = tex.substr(i);
    if (rest.starts_with('{') || rest.starts_with("\\begin") || rest.starts_with("\\left")) ++depth;
    if (rest.starts_with('}') || rest.starts_with("\\end") || rest.starts_with("\\right")) --depth;
    if (depth == 0 && rest.starts_with(gap)) {
      parts.emplace_back();
      i += gap.size() - 1;
    } else {
      parts.back() += tex[i];
    }
  }
  return parts;
}

}  // namespace regard::site
