#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard::site {

// What is wrong with the pages. All of it is collected, so that one run tells everything.
struct Problems {
  std::vector<std::string> found;
  void add(std::string_view file, int line, std::string_view what);
};

// The text as it stands in HTML: & < > and " are written out.
std::string escaped(std::string_view text);

// The text of HTML: without tags, and with < > & " as themselves.
std::string without_tags(std::string_view html);

// The code points of a text in UTF-8. A byte that begins none stands for itself.
std::u32string code_points(std::string_view text);
std::string utf8(char32_t code_point);

// The small letter of a Latin, Greek or Cyrillic capital; all else as it is.
char32_t small(char32_t code_point);

std::vector<std::string> lines_of(std::string_view text);
std::string trimmed(std::string_view text);

// The content of a file, or an Error that names it.
std::string content_of(const std::string& path);

}  // namespace regard::site
