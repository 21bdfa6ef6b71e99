#include "examples/book/site/formula.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/formula_reader.h"
#include "examples/book/site/formula_row.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

// Browsers do not break lines within an element <math>. So a formula in a line of text that is longer than this many
// letters becomes several elements, between which a line may break.
constexpr std::size_t longest = 16;

std::size_t letters_in(const std::string& html) { return code_points(without_tags(html)).size(); }

}  // namespace

std::string mathml(std::string_view tex, bool display) {
  const Row all = FormulaReader(tex).formula(display);
  if (display) return fmt::format(R"(<math display="block"><mrow>{}</mrow></math>)", all.html());
  std::vector<std::string> pieces;
  for (const std::string& piece : all.pieces()) {
    const bool fits = !pieces.empty() && letters_in(pieces.back() + piece) <= longest;
    if (fits) {
      pieces.back() += piece;
    } else {
      pieces.push_back(piece);
    }
  }
  std::string html;
  for (const std::string& piece : pieces)
    html += fmt::format("{}<math><mrow>{}</mrow></math>", html.empty() ? "" : "<wbr>", piece);
  return html;
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
