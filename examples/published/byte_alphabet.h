#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace regard::nn {

// How GPT-2's files write bytes, so that a line of them is a line, and blanks divide: as characters that can be seen.
// The bytes of printable characters (of Latin 1) stand for these; the other 68, in ascending order, are written as the
// characters from code point 256 on. A blank is Ġ, a line break Ċ.
std::string written(std::string_view bytes);
std::optional<std::string> bytes_of_written(std::string_view text);  // none where the text holds another character

// All bytes in the order in which they are numbered: printable ones first.
std::string bytes_in_order();

}  // namespace regard::nn
