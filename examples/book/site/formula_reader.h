#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "examples/book/site/formula_row.h"
#include "examples/book/site/formula_symbols.h"

namespace regard::site {

// Reads a formula from left to right. Each member moves past what it is named after, and gives it as MathML.
class FormulaReader {
 public:
  explicit FormulaReader(std::string_view tex) : tex_(tex) {}
  Row formula(bool display);

 private:
  struct Thing {
    Kind kind;
    std::string html;
    bool has_bounds = false;  // what is written as an index stands below it
  };

  // The next token: a character, or a command with its backslash; empty at the end. take() moves past it.
  std::string_view next();
  std::string_view take();
  bool took(std::string_view token);  // moves only if it is this one
  void expect(std::string_view token);

  Row row(Style style, std::string_view closing = "}");
  std::string argument(Style style);  // {…}, or a single token where TeX takes one: \frac12
  std::string group(Style style);
  std::string words();  // {…} as it stands
  // {right} as an index: a word, which is upright. Two letters are two indices, but for "up". Empty: it is none.
  std::string_view word_in_braces();
  std::string number();
  Thing thing(const Row& before);
  Thing symbol(const Symbol& symbol, const Row& before);
  void scripts(Thing& thing);  // primes, an exponent, an index

  // Commands; their first argument is their name.
  Thing command(const std::string& name, const Row& before);
  Thing fraction(const std::string& name, const Row& before);
  Thing root(const std::string& name, const Row& before);
  Thing upright(const std::string& name, const Row& before);
  Thing accent(const std::string& name, const Row& before);
  Thing brace(const std::string& name, const Row& before);
  Thing dots(const std::string& name, const Row& before);
  Thing stretched(const std::string& name, const Row& before);
  Thing large_bracket(const std::string& name, const Row& before);
  Thing table(const std::string& name, const Row& before);
  std::string bracket();

  std::string_view tex_;
  std::size_t at_ = 0;
};

}  // namespace regard::site
