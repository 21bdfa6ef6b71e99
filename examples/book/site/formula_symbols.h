#pragma once

#include <string>
#include <string_view>

namespace regard::site {

// What a symbol is decides the space around it, as in TeX.
enum class Kind {
  ordinary,  // a letter, a number, a group
  function,  // ln, cos: a thin space to what stands beside it
  large,     // a sum: its bounds stand below and above
  binary,    // + ·
  relation,  // = ≈
  open,
  close,
  punctuation,
  space
};

struct Symbol {
  Kind kind;
  std::string_view text;  // what is shown; of a space, its width in em
};

// The meaning of a command of TeX, without its backslash, or nullptr if there is none of this name. Commands that take
// something in braces are not here.
const Symbol* symbol_of_command(const std::string& name);

// The meaning of a character that is neither a letter nor a digit.
const Symbol* symbol_of_character(char c);

}  // namespace regard::site
