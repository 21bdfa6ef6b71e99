#pragma once

// The steps of making a page. Each looks for parts of one kind in its tree and puts HTML in their place.

#include <string>

#include "examples/book/site/links.h"
#include "examples/book/site/markdown.h"
#include "examples/book/site/page.h"
#include "examples/book/site/text.h"

namespace regard::site {

struct PageInWork {
  std::string file;
  WithoutFormulas read;
  Markdown tree;
  Links& links;
  Problems& problems;

  int line_of(cmark_node* node) const;  // where it stands on the page
  void problem(cmark_node* node, const std::string& what) const { problems.add(file, line_of(node), what); }
};

// `text` with the formulas back in it, by a function of each.
template <class F>
std::string with_formulas(const std::string& text, const WithoutFormulas& read, F formula) {
  std::string all;
  std::size_t at = 0;
  for (std::size_t mark; (mark = text.find(mark_begins, at)) != std::string::npos;) {
    const std::size_t number = mark + mark_begins.size(), end = text.find(mark_ends, number);
    all += text.substr(at, mark - at);
    all += formula(read.formulas[std::stoul(text.substr(number, end - number))]);
    at = end + mark_ends.size();
  }
  return all + text.substr(at);
}

// The content of the picture that a node shows; nothing where there is no such file of the project.
std::string content_of_picture(const PageInWork& page, cmark_node* image);

void show_code(PageInWork& page);
void show_formulas(PageInWork& page);
void show_pictures(PageInWork& page);
void show_tables(PageInWork& page);
void rewrite_links(PageInWork& page);
std::vector<Section> sections_of(PageInWork& page);  // without their anchors, which are those of the headings

}  // namespace regard::site
