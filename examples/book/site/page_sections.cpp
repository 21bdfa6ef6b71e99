#include <cmark-gfm.h>

#include <string>
#include <vector>

#include "examples/book/site/charts.h"
#include "examples/book/site/formula.h"
#include "examples/book/site/markdown.h"
#include "examples/book/site/page_parts.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

// The signs of a formula, one after the other; of one that is wrong, nothing: it is reported where it is shown.
std::string signs_of(const Formula& formula) {
  try {
    return without_tags(mathml(formula.tex, formula.display));
  } catch (const FormulaError&) {
    return "";
  }
}

}  // namespace

std::vector<Section> sections_of(PageInWork& page) {
  std::vector<Section> sections(1);
  const auto words_of = [&](cmark_node* node) { return with_formulas(text_of(node), page.read, signs_of); };
  for (cmark_node* node : nodes_of(page.tree.root())) {
    const std::string kind = kind_of(node);
    if (kind == "heading") {
      sections.push_back({"", words_of(node), ""});
    } else if (kind == "paragraph" || kind == "table_cell" || kind == "code_block") {
      sections.back().words += words_of(node) + " ";
    } else if (kind == "image") {
      if (const std::string content = content_of_picture(page, node); is_svg(content))
        sections.back().words += words_in(content);
    }
  }
  if (sections.front().words.empty()) sections.erase(sections.begin());
  return sections;
}

}  // namespace regard::site
