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

  void heading(const std::string& text) { blocks_.push_back({Kind::heading, text, {}}); }
  void sentence(const std::string& text) { blocks_.push_back({Kind::sentence, text, {}}); }
  void table(const Row& names, const std::vector<Row>& rows);  // each row has as many cells as there are names

  std::string text() const;
  std::string html(const std::string& title) const;  // a whole page that needs nothing else; light and dark

 private:
  enum class Kind { heading, sentence, table };
  struct Block {
    Kind kind;
    std::string text;
    std::vector<Row> rows;  // of a table, the names first
  };
  std::vector<Block> blocks_;
};

}  // namespace regard
