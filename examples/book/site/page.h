#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "examples/book/site/links.h"
#include "examples/book/site/text.h"

namespace regard::site {

struct Heading {
  int level;
  std::string anchor;
  std::string title;  // as HTML
};

// What stands under a heading, in plain words, for the search.
struct Section {
  std::string anchor;
  std::string title;
  std::string words;
};

struct RenderedPage {
  std::string title;
  std::string html;
  std::vector<Heading> headings;
  std::vector<Section> sections;
  std::size_t formulas = 0;
};

// A page of Markdown as HTML. Its links are looked up and its source is found by the name of its file.
RenderedPage render_page(const std::string& file, const std::string& text, Links& links, Problems& problems);

}  // namespace regard::site
