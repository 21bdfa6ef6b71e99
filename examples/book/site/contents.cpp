#include "examples/book/site/contents.h"

#include <cmark-gfm.h>
#include <fmt/format.h>

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/book/site/markdown.h"
#include "examples/book/site/text.h"

namespace regard::site {

std::string Page::out() const {
  std::string path = source;
  if (path.starts_with(book_folder)) path.erase(0, book_folder.size());
  if (path == "README.md") return "index.html";
  return path.substr(0, path.rfind('.')) + ".html";
}

std::vector<const Page*> Contents::in_order() const {
  std::vector<const Page*> pages = {&front};
  for (const Group& group : groups)
    for (const Page& page : group.pages) pages.push_back(&page);
  return pages;
}

namespace {

// "chapter" at the head of a table stands for "Chapters" above the column of contents.
std::string title_of_group(cmark_node* table) {
  static const std::map<std::string, std::string, std::less<>> many = {{"chapter", "Chapters"},
                                                                       {"appendix", "Appendices"}};
  for (cmark_node* cell = cmark_node_first_child(cmark_node_first_child(table)); cell; cell = cmark_node_next(cell)) {
    const std::string word = text_of(cell);
    if (word.empty()) continue;
    const auto found = many.find(word);
    return found == many.end() ? word : found->second;
  }
  return "";
}

Group group_of(cmark_node* table, const std::string& root) {
  Group group{title_of_group(table), {}};
  for (cmark_node* row = cmark_node_next(cmark_node_first_child(table)); row; row = cmark_node_next(row)) {
    for (cmark_node* node : nodes_of(row)) {
      if (kind_of(node) != "link") continue;
      const std::string first = text_of(cmark_node_first_child(row));
      const bool numbered = !first.empty() && std::isdigit(static_cast<unsigned char>(first[0]));
      const std::string source = std::string(book_folder) + cmark_node_get_url(node);
      group.pages.push_back({source, numbered ? first : "", text_of(node), content_of(root + "/" + source)});
      break;
    }
  }
  return group;
}

}  // namespace

Contents contents_of_book(const std::string& root) {
  const std::string source = std::string(book_folder) + "README.md";
  Contents contents{{source, "", "", content_of(root + "/" + source)}, {}, {}};
  const Markdown readme(contents.front.text);
  bool here = false;
  for (cmark_node* node = cmark_node_first_child(readme.root()); node; node = cmark_node_next(node)) {
    if (kind_of(node) == "heading") here = text_of(node) == "Contents";
    if (kind_of(node) == "heading" && cmark_node_get_heading_level(node) == 1) contents.front.title = text_of(node);
    if (here && kind_of(node) == "table") contents.groups.push_back(group_of(node, root));
  }
  if (contents.groups.empty()) throw std::runtime_error(fmt::format("{} has no table of contents", source));
  return contents;
}

}  // namespace regard::site
