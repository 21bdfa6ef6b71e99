#include <cmark-gfm.h>
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "examples/book/site/charts.h"
#include "examples/book/site/markdown.h"
#include "examples/book/site/page_parts.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

// Pictures are drawn about twice as large as they are shown, for screens with small dots.
constexpr double of_its_dots = 0.62;
constexpr int least_of_wide = 600;  // on a phone its words would have half their size

// A page that knows the size of its pictures does not jump while they arrive. That of a PNG file stands in its bytes 16
// to 23; the first tag of an SVG file of ours has it as it must be written here.
std::string size_of_picture(const std::string& bytes) {
  if (const std::size_t at = bytes.find(" width="); is_svg(bytes) && at < bytes.find('>'))
    return bytes.substr(at, bytes.find(" viewBox") - at);
  if (bytes.size() < 24 || bytes.substr(1, 3) != "PNG") return "";
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  };
  return fmt::format(R"( width="{:.0f}" height="{:.0f}")", number(16) * of_its_dots, number(20) * of_its_dots);
}

bool stands_alone(cmark_node* node) {
  cmark_node* parent = cmark_node_parent(node);
  return kind_of(parent) == "paragraph" && cmark_node_first_child(parent) == node && !cmark_node_next(node);
}

cmark_node* html_block(const std::string& html) {
  cmark_node* node = cmark_node_new(CMARK_NODE_HTML_BLOCK);
  cmark_node_set_literal(node, html.c_str());
  return node;
}

void surround(cmark_node* node, const std::string& before, const std::string& behind) {
  cmark_node_insert_before(node, html_block(before));
  cmark_node_insert_after(node, html_block(behind));
}

// A paragraph in italics right below a picture is its caption.
cmark_node* caption_below(cmark_node* paragraph) {
  cmark_node* next = cmark_node_next(paragraph);
  if (!next || kind_of(next) != "paragraph") return nullptr;
  cmark_node* inside = cmark_node_first_child(next);
  return inside && kind_of(inside) == "emph" && !cmark_node_next(inside) ? next : nullptr;
}

// "In your hand: *Title*, …" below a picture names the figure of the laboratory that shows the same.
cmark_node* named_figure(cmark_node* node) {
  if (!node || kind_of(node) != "paragraph" || !text_of(node).starts_with("In your hand: ")) return nullptr;
  cmark_node* title = cmark_node_next(cmark_node_first_child(node));
  return title && kind_of(title) == "emph" ? title : nullptr;
}

// A picture that stands alone, its caption, and the figure that may take its place.
void show_figure(cmark_node* paragraph) {
  cmark_node* caption = caption_below(paragraph);
  cmark_node* last = caption ? caption : paragraph;
  cmark_node* hand = cmark_node_next(last);
  std::string begin = "<figure>";
  if (cmark_node* title = named_figure(hand)) {
    begin = fmt::format(R"(<figure class="live" data-figure="{}">)", escaped(text_of(title)));
    last = hand;
  }
  cmark_node_insert_before(paragraph, html_block(begin));
  cmark_node_insert_after(last, html_block("</figure>"));
  if (caption) surround(caption, "<figcaption>", "</figcaption>");
  if (last == hand) surround(hand, "<div class=\"hand\">", "</div>");
}

bool in_link(cmark_node* node) {
  for (; node; node = cmark_node_parent(node))
    if (kind_of(node) == "link") return true;
  return false;
}

// In a table, whose columns are narrow, a line does not break within (3.6, 7.2), nor within ½, ½, ¼.
std::string unbroken(const std::string& text) {
  constexpr std::size_t longest = 32;  // in bytes
  static constexpr std::string_view of_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string joined;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '(' ? text.find(')', at) : at == 0 ? text.size() - 1 : at;
    const std::string_view piece = std::string_view(text).substr(at, end == std::string::npos ? 1 : end - at + 1);
    const bool is_list = piece.size() <= longest && piece.find(", ") != std::string_view::npos &&
                         piece.find_first_of(of_letters) == std::string_view::npos;
    if (is_list)
      for (const char c : piece) joined += c == ' ' ? std::string("\u00A0") : std::string(1, c);
    else
      joined += text[at];
    at += is_list ? piece.size() : 1;
  }
  return joined;
}

}  // namespace

std::string content_of_picture(const PageInWork& page, cmark_node* image) {
  const std::string file = page.file.substr(0, page.file.rfind('/') + 1) + cmark_node_get_url(image);
  return page.links.has(file) ? page.links.content(file) : "";
}

void show_pictures(PageInWork& page) {
  for (cmark_node* node : nodes_of(page.tree.root())) {
    if (kind_of(node) != "image") continue;
    const std::string url = cmark_node_get_url(node);
    const std::size_t before = page.problems.found.size();
    const std::string target = page.links.rewritten(page.file, url, page.line_of(node));
    if (page.problems.found.size() != before) continue;  // it is not there
    if (leads_out(url)) {
      page.problem(node, fmt::format("the picture {} is no file of the project: a page needs no network", url));
      continue;
    }
    const std::string words =
        with_formulas(text_of(node), page.read, [](const Formula& formula) { return formula.tex; });
    if (stands_alone(node)) show_figure(cmark_node_parent(node));
    const std::string content = content_of_picture(page, node), size = size_of_picture(content);
    const bool wide = !size.empty() && std::stoi(size.substr(size.find('"') + 1)) >= least_of_wide;
    const std::string shown =
        is_svg(content) && may_stand_in_a_page(content)
            ? in_a_page(content, words)
            : fmt::format(R"(<img src="{}" alt="{}"{} loading="lazy">)", target, escaped(words), size);
    replace_inline(node, fmt::format(R"(<a class="picture{}" href="{}">{}</a>)", wide ? " wide" : "", target, shown));
  }
}

void show_tables(PageInWork& page) {
  for (cmark_node* node : nodes_of(page.tree.root())) {
    if (kind_of(node) == "table") surround(node, "<div class=\"table\" tabindex=\"0\">", "</div>");
    if (kind_of(node) == "text" && kind_of(cmark_node_parent(node)) == "table_cell")
      cmark_node_set_literal(node, unbroken(cmark_node_get_literal(node)).c_str());
  }
}

void rewrite_links(PageInWork& page) {
  for (cmark_node* node : nodes_of(page.tree.root())) {
    const std::string kind = kind_of(node);
    if (kind == "link") {
      const std::string url = cmark_node_get_url(node);
      cmark_node_set_url(node, page.links.rewritten(page.file, url, page.line_of(node)).c_str());
    } else if (kind == "code" && !in_link(node)) {
      const std::string name = cmark_node_get_literal(node);
      if (const auto target = page.links.to_named_file(page.file, name))
        replace_inline(node, fmt::format(R"(<a href="{}"><code>{}</code></a>)", *target, escaped(name)));
    }
  }
}

}  // namespace regard::site
