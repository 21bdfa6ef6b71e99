#pragma once

#include <string>
#include <string_view>

namespace regard::nn {

// Unicode gives every character a number, its code point. UTF-8 writes a code point as 1 to 4 bytes:
//   below 0x80 as 0xxxxxxx · 0x800 as 110xxxxx 10xxxxxx · 0x10000 as 1110xxxx, and two more · else 11110xxx, and three

struct Character {
  char32_t code;      // not_a_character where the bytes are not UTF-8; then `bytes` is 1
  std::size_t bytes;  // how many it takes
};
inline constexpr char32_t not_a_character = 0xFFFFFFFF;

// The character that begins the text, which is not empty. Strict: no longer form than needed, no surrogates, nothing
// above 0x10FFFF.
Character first_character(std::string_view text);

std::string to_utf8(char32_t code);

}  // namespace regard::nn
