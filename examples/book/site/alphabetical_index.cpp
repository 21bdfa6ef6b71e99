#include "examples/book/site/alphabetical_index.h"

#include <cmark-gfm.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/anchors.h"
#include "examples/book/site/markdown.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

// Words in small letters with a blank before and behind each, so that a name is found as whole words.
std::string words_in(std::string_view text) {
  std::string all = " ";
  for (const char32_t c : code_points(text)) all += c < 0x80 && !std::isalnum(int(c)) ? " " : utf8(small(c));
  return all + " ";
}

using Names = std::map<std::string, std::string>;  // of one thing, by their words

bool any_in(const std::string& words, const Names& names) {
  return std::any_of(names.begin(), names.end(), [&](const auto& n) { return words.find(n.first) != words.npos; });
}

// What stands under a heading of a chapter. A new word stands in italics, and often in the title.
struct Part {
  std::string link, title, italics, text;
  int explains(const Names& names) const {
    return any_in(italics, names) ? 3 : any_in(title, names) ? 2 : any_in(text, names) ? 1 : 0;
  }
};
using Chapters = std::map<std::string, std::vector<Part>>;  // by their files

std::vector<Part> parts_of(const Page& page) {
  const Markdown tree(page.text);
  Anchors anchors;
  std::vector<Part> parts;
  for (cmark_node* node : nodes_of(tree.root())) {
    const std::string kind = kind_of(node), text = text_of(node);
    if (kind == "heading") {
      if (text == "Exercises") break;  // which explain nothing
      const std::string to = page.source.substr(book_folder.size()) + "#" + anchors.of(text);
      const std::string link = fmt::format("[{}: {}]({})", page.number, parts.empty() ? page.title : text, to);
      parts.push_back({link, words_in(text), "", ""});
    } else if (kind == "emph") {
      parts.back().italics += words_in(text);
    } else if (kind == "paragraph" || kind == "table_cell") {
      parts.back().text += words_in(text);
    }
  }
  return parts;
}

// Where the word of a row of the glossary is explained, in the chapters that the row names, and titles that have it.
std::string links_of(cmark_node* row, const Names& names, const Chapters& chapters) {
  std::string links;
  const auto less = [&](const Part& a, const Part& b) { return a.explains(names) < b.explains(names); };
  for (const auto& [file, parts] : chapters) {
    const Part* best = nullptr;
    for (cmark_node* node : nodes_of(row))
      if (kind_of(node) == "link" && cmark_node_get_url(node) == file)
        best = &*std::max_element(parts.begin(), parts.end(), less);
    for (const Part& part : parts)
      if (&part == best || any_in(part.title, names)) links += (links.empty() ? "" : " · ") + part.link;
  }
  return links;
}

std::string page_of(const std::string& glossary, const Chapters& chapters) {
  std::map<char, std::map<std::string, std::string>> letters;  // of each the lines, by their words
  const Markdown tree(glossary);
  for (cmark_node* row : nodes_of(tree.root())) {
    if (kind_of(row) != "table_row") continue;
    cmark_node* cell = cmark_node_first_child(row);
    const std::string word = text_of(cell);
    Names names;
    std::istringstream cells(word + "," + text_of(cmark_node_next(cell)));
    for (std::string name; std::getline(cells, name, ',');)
      for (const char* ending : {"", "s"}) names.emplace(words_in(trimmed(name) + ending), trimmed(name));
    const std::string links = links_of(row, names, chapters);
    for (const auto& [words, name] : names) {
      const std::string here = word.find(name) == word.npos ? fmt::format(" (here: {})", word) : "";
      letters[char(std::toupper(words[1]))].emplace(words_in(name), fmt::format("- {}{}: {}\n", name, here, links));
    }
  }
  std::string page = "# Index from A to Z\n\nWhere each word of the [glossary](glossary.md) is explained.\n";
  for (const auto& [letter, lines] : letters) {
    page += fmt::format("\n## {}\n\n", letter);
    for (const auto& line : lines) page += line.second;
  }
  return page;
}

}  // namespace

void add_alphabetical_index(Contents& contents) {
  Chapters chapters;
  for (const Page* page : contents.in_order())
    if (!page->number.empty()) chapters[page->source.substr(book_folder.size())] = parts_of(*page);
  for (Group& group : contents.groups) {
    const auto page = std::find_if(group.pages.begin(), group.pages.end(),
                                   [](const Page& one) { return one.out() == "glossary.html"; });
    if (page == group.pages.end()) continue;
    const std::string source = std::string(book_folder) + "alphabetical_index.md", text = page_of(page->text, chapters);
    group.pages.insert(page + 1, {source, "", "Index from A to Z", text});
  }
}

}  // namespace regard::site
