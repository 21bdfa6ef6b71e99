#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/text.h"

struct cmark_node;

namespace regard::site {

struct Formula {
  std::string tex;
  bool display = false;
  int line = 0;
};

// Markdown knows nothing of formulas. So they are taken out before it is read, and a mark that no page can hold stands
// in their place: a character for private use, the number of the formula, another such character.
struct WithoutFormulas {
  std::string text;
  std::vector<Formula> formulas;
  std::vector<int> lines;  // of each line of the text: which line of the page it was; formulas of two lines become one
};
WithoutFormulas take_formulas(std::string_view page, std::string_view file, Problems& problems);

inline constexpr std::string_view mark_begins = "\uE000", mark_ends = "\uE001";

// A page as a tree of what it consists of, which can be changed and then written as HTML.
class Markdown {
 public:
  explicit Markdown(const std::string& text);

  cmark_node* root() const { return root_.get(); }
  std::string html() const;

 private:
  struct Free {
    void operator()(cmark_node* node) const;
  };
  std::unique_ptr<cmark_node, Free> root_;
};

// All nodes of a tree, parents before children. The list stays as it is when nodes are exchanged.
std::vector<cmark_node*> nodes_of(cmark_node* root);

std::string kind_of(cmark_node* node);  // "heading", "paragraph", "table_cell" …
std::string text_of(cmark_node* node);  // the words in it, without any markup

// Puts HTML in the place of a node.
void replace_block(cmark_node* node, const std::string& html);
void replace_inline(cmark_node* node, const std::string& html);

}  // namespace regard::site
