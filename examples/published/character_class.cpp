#include "examples/published/character_class.h"

#include "examples/published/unicode_tables.h"

#include <array>
#include <optional>

namespace regard::nn {
namespace {

std::optional<CodeKind> look_up(char32_t code) {
  const CodeRange* range = range_of(kinds(), code);
  if (!range) return std::nullopt;
  const auto kind = static_cast<CodeKind>(range->value);
  if (kind != CodeKind::alternating) return kind;
  return (code - range->first) % 2 == 0 ? CodeKind::capital : CodeKind::small;
}

std::optional<CodeKind> kind_of(char32_t code) {
  static const auto ascii = [] {
    std::array<std::optional<CodeKind>, 128> table{};
    for (char32_t c = 0; c < table.size(); ++c) table[c] = look_up(c);
    return table;
  }();
  return code < ascii.size() ? ascii[code] : look_up(code);
}

}  // namespace

CharacterClass class_of(char32_t code) {
  const std::optional<CodeKind> kind = kind_of(code);
  if (kind == CodeKind::digit) return CharacterClass::digit;
  if (kind == CodeKind::space) return CharacterClass::space;
  return !kind || kind == CodeKind::accent ? CharacterClass::mark : CharacterClass::letter;
}

Case case_of(char32_t code) {
  const std::optional<CodeKind> kind = kind_of(code);
  if (kind == CodeKind::capital) return Case::capital;
  if (kind == CodeKind::small) return Case::small;
  return kind == CodeKind::caseless || kind == CodeKind::accent ? Case::caseless : Case::no_letter;
}

}  // namespace regard::nn
