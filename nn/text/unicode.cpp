#include "nn/text/unicode.h"

#include "nn/text/unicode_ranges.h"

#include <algorithm>
#include <array>

namespace regard::nn {
namespace {

bool is_in(std::span<const CodeRange> ranges, char32_t code) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code,
                                      [](char32_t c, const CodeRange& range) { return c < range.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

CharacterClass look_up(char32_t code) {
  if (is_in(letter_ranges(), code)) return CharacterClass::letter;
  if (is_in(digit_ranges(), code)) return CharacterClass::digit;
  return is_in(space_ranges(), code) ? CharacterClass::space : CharacterClass::mark;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  constexpr Character broken{not_a_character, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return broken;
  char32_t code = lead & (0xFF >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return broken;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < smallest[bytes] || is_surrogate || code > 0x10FFFF ? broken : Character{code, bytes};
}

std::string to_utf8(char32_t code) {
  if (code < 0x80) return std::string(1, static_cast<char>(code));
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  std::string bytes(1, static_cast<char>((0xF00 >> (more + 1) & 0xFF) | code >> 6 * more));
  for (int i = more - 1; i >= 0; --i) bytes += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
  return bytes;
}

CharacterClass class_of(char32_t code) {
  static const std::array<CharacterClass, 128> ascii = [] {
    std::array<CharacterClass, 128> table{};
    for (char32_t c = 0; c < table.size(); ++c) table[c] = look_up(c);
    return table;
  }();
  return code < ascii.size() ? ascii[code] : look_up(code);
}

}  // namespace regard::nn
