#include "examples/book/site/page.h"

#include <cmark-gfm.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "examples/book/site/anchors.h"
#include "examples/book/site/formula.h"
#include "examples/book/site/markdown.h"
#include "examples/book/site/page_parts.h"
#include "examples/book/site/text.h"

namespace regard::site {

int PageInWork::line_of(cmark_node* node) const {
  while (node && cmark_node_get_start_line(node) == 0) node = cmark_node_parent(node);
  const int line = node ? cmark_node_get_start_line(node) : 1;
  return read.lines[std::min<std::size_t>(static_cast<std::size_t>(line), read.lines.size()) - 1];
}

namespace {

void refuse_html(PageInWork& page) {
  for (cmark_node* node : nodes_of(page.tree.root()))
    if (const std::string kind = kind_of(node); kind == "html_inline" || kind == "html_block")
      page.problem(
          node, fmt::format("HTML on a page, or `code` without its marks: {}", trimmed(cmark_node_get_literal(node))));
}

// The line of links at the end of a chapter is for readers of the files; the frame of a page has such links, too.
void drop_last_links(PageInWork& page) {
  cmark_node* last = cmark_node_last_child(page.tree.root());
  if (!last || kind_of(last) != "paragraph") return;
  const std::string text = text_of(last);
  const bool arrows = text.starts_with("←") || text.ends_with("→");
  if (arrows && text.find("Contents") != std::string::npos) cmark_node_free(last);
}

// The HTML of what is inside a heading, as it will be.
std::string html_inside(cmark_node* heading) {
  char* text = cmark_render_html(heading, CMARK_OPT_UNSAFE, nullptr);
  std::string html = text;
  std::free(text);
  const std::size_t begin = html.find('>') + 1;
  return html.substr(begin, html.rfind("</h") - begin);
}

std::string without_links(std::string html) {
  for (std::size_t at; (at = html.find("<a ")) != std::string::npos;) html.erase(at, html.find('>', at) - at + 1);
  for (std::size_t at; (at = html.find("</a>")) != std::string::npos;) html.erase(at, 4);
  return html;
}

std::vector<Heading> show_headings(PageInWork& page) {
  std::vector<Heading> headings;
  Anchors anchors;
  for (cmark_node* node : nodes_of(page.tree.root())) {
    if (kind_of(node) != "heading") continue;
    const int level = cmark_node_get_heading_level(node);
    std::string anchor, title;
    const std::string inside = html_inside(node);
    title = without_links(inside);
    anchor = anchors.of(without_tags(title));
    page.links.has_anchor(page.file, anchor);
    headings.push_back({level, anchor, title});
    const std::string sign =
        level == 1 ? "" : fmt::format(R"(<a class="anchor" href="#{}" aria-label="link to this part">#</a>)", anchor);
    replace_block(node, fmt::format("<h{0} id=\"{1}\">{2}{3}</h{0}>\n", level, anchor, inside, sign));
  }
  return headings;
}

// Each section but one that stands above the first heading has the anchor of its heading.
void give_anchors(std::vector<Section>& sections, const std::vector<Heading>& headings) {
  const std::size_t above = sections.size() - headings.size();
  for (std::size_t i = 0; i < headings.size(); ++i) sections[above + i].anchor = headings[i].anchor;
}

}  // namespace

RenderedPage render_page(const std::string& file, const std::string& text, Links& links, Problems& problems) {
  WithoutFormulas read = take_formulas(text, file, problems);
  Markdown tree(read.text);
  PageInWork page{file, std::move(read), std::move(tree), links, problems};
  cmark_consolidate_text_nodes(page.tree.root());
  refuse_html(page);
  drop_last_links(page);

  RenderedPage rendered;
  rendered.sections = sections_of(page);
  show_code(page);
  show_tables(page);
  show_pictures(page);
  rewrite_links(page);
  show_formulas(page);
  rendered.headings = show_headings(page);
  give_anchors(rendered.sections, rendered.headings);
  rendered.title = rendered.headings.empty() ? file : without_tags(rendered.headings.front().title);
  rendered.html = page.tree.html();
  rendered.formulas = page.read.formulas.size();
  return rendered;
}

}  // namespace regard::site
