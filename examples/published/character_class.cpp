#include "examples/published/character_class.h"

#include "examples/published/unicode_ranges.h"

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

CharacterClass class_of(char32_t code) {
  static const std::array<CharacterClass, 128> ascii = [] {
    std::array<CharacterClass, 128> table{};
    for (char32_t c = 0; c < table.size(); ++c) table[c] = look_up(c);
    return table;
  }();
  return code < ascii.size() ? ascii[code] : look_up(code);
}

}  // namespace regard::nn
