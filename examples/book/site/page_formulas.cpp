#include <cmark-gfm.h>
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "examples/book/site/formula.h"
#include "examples/book/site/markdown.h"
#include "examples/book/site/page_parts.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

// A formula that is a paragraph of its own may be wider than lines of words are.
bool is_alone(cmark_node* text) {
  const std::string words = cmark_node_get_literal(text);
  return !cmark_node_previous(text) && !cmark_node_next(text) && words.starts_with(mark_begins) &&
         words.find(mark_ends) == words.size() - mark_ends.size();
}

std::string html_of(const PageInWork& page, const Formula& formula, bool alone) {
  try {
    if (!formula.display) return mathml(formula.tex, false);
    std::string parts;
    for (const std::string& part : parts_of_display(formula.tex))
      if (!trimmed(part).empty()) parts += mathml(part, true);
    return fmt::format(R"(<span class="display{}" tabindex="0">{}</span>)", alone ? " alone" : "", parts);
  } catch (const FormulaError& error) {
    page.problems.add(page.file, formula.line, fmt::format("the formula {}: {}", formula.tex, error.what()));
    return "";
  }
}

// A line does not break between a formula and a mark that belongs to it, as in "(x)." – a word joiner forbids it.
std::string joined_to_marks(const std::string& html) {
  static constexpr std::string_view joiner = "\u2060", end = "</math>", begin = "<math";
  std::string joined;
  for (std::size_t i = 0; i < html.size(); ++i) {
    const std::string_view rest = std::string_view(html).substr(i);
    if (rest.starts_with(begin) && i > 0 && html[i - 1] == '(') joined += joiner;
    if (rest.starts_with(end) && rest.size() > end.size() &&
        std::string_view(".,;:)?!").find(rest[end.size()]) != std::string_view::npos) {
      joined += end;
      joined += joiner;
      i += end.size() - 1;
    } else {
      joined += html[i];
    }
  }
  return joined;
}

}  // namespace

void show_formulas(PageInWork& page) {
  for (cmark_node* node : nodes_of(page.tree.root())) {
    if (kind_of(node) != "text") continue;
    const std::string text = cmark_node_get_literal(node);
    if (text.find(mark_begins) == std::string::npos) continue;
    const bool alone = is_alone(node);
    const std::string html =
        with_formulas(escaped(text), page.read, [&](const Formula& formula) { return html_of(page, formula, alone); });
    replace_inline(node, joined_to_marks(html));
  }
}

}  // namespace regard::site
