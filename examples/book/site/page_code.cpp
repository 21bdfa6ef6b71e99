#include <cmark-gfm.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "examples/book/site/colours.h"
#include "examples/book/site/markdown.h"
#include "examples/book/site/page_parts.h"
#include "examples/book/site/quotes.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

std::string first_word(std::string_view text) { return std::string(text.substr(0, text.find(' '))); }
std::string behind_first_word(std::string_view text) {
  const std::size_t blank = text.find(' ');
  return blank == std::string_view::npos ? "" : trimmed(text.substr(blank));
}

// A line above the code that leads to the place in the source
std::string link_to_line(const PageInWork& page, const std::string& file, int line) {
  return fmt::format(R"(<a class="where" href="{}">{}<span>, line {}</span></a>)",
                     page.links.to_line(page.file, file, line), file, line);
}

// "quote FILE NAME": the line above leads to the region
std::string source_of_quote(const PageInWork& page, cmark_node* node, const std::string& words) {
  const std::string file = first_word(behind_first_word(words)), name = behind_first_word(behind_first_word(words));
  const int line = line_of_region(page.links.root(), file, name);
  if (line == 0) {
    page.problem(node, fmt::format("in {} there is no region '{}'", file, name));
    return "";
  }
  return link_to_line(page, file, line);
}

bool is_code_in(cmark_node* node, std::string_view language) {
  return node && kind_of(node) == "code_block" && first_word(cmark_node_get_fence_info(node)) == language;
}

}  // namespace

void show_code(PageInWork& page) {
  const std::vector<cmark_node*> nodes = nodes_of(page.tree.root());
  // What a block is depends on the one before, which must still be there.
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    cmark_node* node = *it;
    if (kind_of(node) != "code_block") continue;
    const std::string info = cmark_node_get_fence_info(node), language = first_word(info),
                      words = behind_first_word(info);
    std::string above, kind = language.empty() ? "drawing" : language;
    if (words.starts_with("at ")) {
      const std::string place = behind_first_word(words);
      above = link_to_line(page, first_word(place), std::stoi(behind_first_word(place)));
      kind += " quote";
    } else if (words.starts_with("quote ")) {
      above = source_of_quote(page, node, words);
      kind += " quote";
    } else if (language == "text" && !words.empty()) {
      above = fmt::format(R"(<span class="where">{}</span>)", escaped(words));
    } else if (language == "text" && is_code_in(cmark_node_previous(node), "cpp")) {
      kind += " printed";
    }
    replace_block(node, fmt::format("<div class=\"code {}\">{}<pre tabindex=\"0\"><code>{}</code></pre></div>\n", kind,
                                    above, coloured(cmark_node_get_literal(node), language)));
  }
}

}  // namespace regard::site
