#include "examples/book/site/source_page.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "examples/book/site/colours.h"
#include "examples/book/site/page.h"
#include "examples/book/site/text.h"

namespace regard::site {

RenderedPage render_source(const std::string& file, const std::string& content) {
  RenderedPage page;
  page.title = file;
  page.html =
      fmt::format("<h1 class=\"file\">{}</h1>\n<div class=\"code source\"><pre tabindex=\"0\"><code>", escaped(file));
  int number = 0;
  for (const std::string& line : coloured_lines(content, language_of(file, content)))
    page.html += fmt::format("<span id=\"L{0}\">{1}\n</span>", ++number, line);
  page.html += "</code></pre></div>\n";
  return page;
}

}  // namespace regard::site
