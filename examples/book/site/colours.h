#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard::site {

// Code in a language, "cpp", "sh", "cmake" or "py", as HTML with a <span> around whatever has a colour. All other
// languages, "text" among them, are shown without colours.
std::string coloured(std::string_view code, std::string_view language);

// The same, line by line: a comment of several lines is one <span> in each.
std::vector<std::string> coloured_lines(std::string_view code, std::string_view language);

// The language of a file by its name; of a file without an ending by its first line.
std::string language_of(std::string_view path, std::string_view content);

}  // namespace regard::site
