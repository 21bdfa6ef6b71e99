#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard {

// Text as it is shown in a page or an SVG, whatever is in it: names come from whoever wrote the model.
std::string for_html(const std::string& text);

// <!--name--> in a page becomes this text, which has no such mark itself: neither data nor text for HTML has any <.
void fill_in(std::string& page, const std::string& name, std::string_view text);

// What the tools that explain have to say, before it is known whether it is printed or shown by a browser: headings,
// sentences and tables.
class Document {
 public:
  using Row = std::vector<std::string>;

  void heading(const std::string& words);
  void sentence(const std::string& words);
  void table(const Row& names, std::vector<Row> rows);  // each row has as many cells as there are names

  const std::string& text() const { return text_; }
  std::string html(const std::string& title) const;  // a whole page that needs nothing else; light and dark

 private:
  std::string text_, html_;
};

}  // namespace regard
