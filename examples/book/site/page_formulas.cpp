#include <cmark-gfm.h>
#include <fmt/format.h>

#include <string>

#include "examples/book/site/formula.h"
#include "examples/book/site/markdown.h"
#include "examples/book/site/page_parts.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

std::string html_of(const PageInWork& page, const Formula& formula) {
  try {
    if (!formula.display) return mathml(formula.tex, false);
    std::string parts;
    for (const std::string& part : parts_of_display(formula.tex))
      if (!trimmed(part).empty()) parts += mathml(part, true);
    return fmt::format(R"(<span class="display" tabindex="0">{}</span>)", parts);
  } catch (const FormulaError& error) {
    page.problems.add(page.file, formula.line, fmt::format("the formula {}: {}", formula.tex, error.what()));
    return "";
  }
}

}  // namespace

void show_formulas(PageInWork& page) {
  for (cmark_node* node : nodes_of(page.tree.root())) {
    if (kind_of(node) != "text") continue;
    const std::string text = cmark_node_get_literal(node);
    if (text.find(mark_begins) == std::string::npos) continue;
    const std::string html =
        with_formulas(escaped(text), page.read, [&](const Formula& formula) { return html_of(page, formula); });
    replace_inline(node, html);
  }
}

}  // namespace regard::site
