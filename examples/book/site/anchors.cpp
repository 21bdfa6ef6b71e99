#include "examples/book/site/anchors.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "examples/book/site/text.h"

namespace regard::site {

namespace {

// Beyond ASCII: what is no letter in the blocks of Unicode that a heading may use. All else counts as letters.
constexpr std::pair<char32_t, char32_t> marks[] = {
    {0x80, 0xA9},      {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},      // controls, punctuation, ½ and its kin
    {0xD7, 0xD7},      {0xF7, 0xF7},                                          // × ÷
    {0x2000, 0x2070},  {0x2074, 0x207E}, {0x2080, 0x208F}, {0x20A0, 0x20CF},  // dashes, quotes, small digits, currency
    {0x2150, 0x2182},  {0x2185, 0x2BFF},  // fractions, arrows, mathematics, drawings
    {0x3000, 0x3004},  {0x3008, 0x3020}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20},  // Chinese punctuation
    {0x1F000, 0x1FAFF}};                                                      // pictures

bool is_word(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  return std::none_of(std::begin(marks), std::end(marks),
                      [c](const auto& range) { return c >= range.first && c <= range.second; });
}

}  // namespace

std::string Anchors::of(std::string_view heading) {
  std::string anchor;
  for (const char32_t c : code_points(trimmed(heading))) {
    if (c == ' ') {
      anchor += '-';
    } else if (is_word(small(c))) {
      anchor += utf8(small(c));
    }
  }
  const int before = seen_[anchor]++;
  return before == 0 ? anchor : anchor + "-" + std::to_string(before);
}

}  // namespace regard::site
