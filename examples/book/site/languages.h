#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace regard::site {

// What must be known of a language to colour it.
struct Language {
  std::string_view line_comment = {};
  std::string_view comment_begins = {}, comment_ends = {};
  std::string_view quotes = {};  // characters that begin and end a string
  bool has_directives = false;   // lines that begin with # are for the preprocessor
  bool has_raw_strings = false;  // R"(…)"
  bool has_variables = false;    // $name
  std::set<std::string, std::less<>> keywords = {}, types = {};
};

const Language* language_named(std::string_view name);

}  // namespace regard::site
