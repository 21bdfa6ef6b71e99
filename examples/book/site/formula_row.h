#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/formula_symbols.h"

namespace regard::site {

// As in TeX: a displayed formula, one in a line of text (where fractions are small), an exponent or index (where signs
// stand close).
enum class Style { display, text, script };

// What stands side by side in a formula, as MathML. It knows the space between neighbours.
class Row {
 public:
  explicit Row(Style style) : style_(style) {}

  void add(Kind kind, std::string_view html);
  void space(std::string_view em);

  // A sign between two things has space on both sides; one in front of a thing, as in −x, has none.
  Kind kind_here(Kind kind) const;

  bool ends_with(Kind kind) const { return !first_ && last_ == kind; }
  bool empty() const { return count_ == 0; }
  std::string as_one() const;  // one element: in an <mrow> if there are several
  const std::string& html() const { return html_; }
  std::vector<std::string> pieces() const;  // as TeX breaks lines: behind a relation or a sign outside of brackets
  Style style() const { return style_; }

 private:
  Style style_;
  std::string html_;
  int count_ = 0;
  int open_ = 0;                     // brackets that are not closed yet
  std::vector<std::size_t> breaks_;  // where the pieces begin
  bool first_ = true;                // no neighbour yet; spaces are none
  Kind last_ = Kind::open;
};

// The element of a symbol that stands by itself, with the space that its kind asks for.
std::string element_of(const Symbol& symbol, Kind kind, Style style);

}  // namespace regard::site
