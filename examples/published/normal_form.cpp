#include "examples/published/normal_form.h"

#include "examples/published/unicode_tables.h"
#include "nn/text/unicode.h"
#include "tensor/error.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace regard::nn {
namespace {

// Korean syllables are computed: a leading consonant of 19, a vowel of 21, and one of 27 that close it, or none.
constexpr char32_t syllables = 0xAC00, leads = 0x1100, vowels = 0x1161, closes = 0x11A7;
constexpr char32_t lead_count = 19, vowel_count = 21, close_count = 28, syllable_count = 19 * 21 * 28;

constexpr char32_t broken_byte = 0x80000000;  // plus the byte: no character

int class_of_mark(char32_t code) {  // 0 for what is no mark
  const CodeRange* found = range_of(combining_classes(), code);
  return found ? found->value : 0;
}

const CodeParts* parts_of(char32_t code) {
  for (const std::span<const CodeParts> table : {composed_codes(), one_way_codes()}) {
    const auto found = std::ranges::lower_bound(table, code, {}, &CodeParts::code);
    if (found != table.end() && found->code == code) return &*found;
  }
  return nullptr;
}

void append_decomposed(std::u32string& to, char32_t code) {
  if (range_of(unknown_codes(), code))
    fail<ValueError>("in_nfc: U+{:04X} is another ideograph in the normal form NFC, and which one is not known here",
                     static_cast<unsigned>(code));
  if (code >= syllables && code < syllables + syllable_count) {
    const char32_t number = code - syllables;
    to += leads + number / (vowel_count * close_count);
    to += vowels + number / close_count % vowel_count;
    if (number % close_count > 0) to += closes + number % close_count;
  } else if (const CodeParts* parts = parts_of(code)) {
    append_decomposed(to, parts->first);
    if (parts->second) append_decomposed(to, parts->second);
  } else {
    to += code;
  }
}

// The character that stands for both; 0 if there is none.
char32_t composite_of(char32_t a, char32_t b) {
  static const std::map<std::pair<char32_t, char32_t>, char32_t> known = [] {
    std::map<std::pair<char32_t, char32_t>, char32_t> all;
    for (const CodeParts& one : composed_codes()) all[{one.first, one.second}] = one.code;
    return all;
  }();
  if (a >= leads && a < leads + lead_count && b >= vowels && b < vowels + vowel_count)
    return syllables + ((a - leads) * vowel_count + (b - vowels)) * close_count;
  const bool is_open = a >= syllables && a < syllables + syllable_count && (a - syllables) % close_count == 0;
  if (is_open && b > closes && b < closes + close_count) return a + (b - closes);
  const auto found = known.find({a, b});
  return found == known.end() ? 0 : found->second;
}

// Marks of one letter by their classes; those of one class stay as they stand.
void order_marks(std::u32string& text) {
  for (auto begin = text.begin(); begin != text.end();) {
    const auto is_letter = [](char32_t c) { return class_of_mark(c) == 0; };
    const auto end = std::find_if(begin, text.end(), is_letter);
    std::stable_sort(begin, end, [](char32_t a, char32_t b) { return class_of_mark(a) < class_of_mark(b); });
    begin = end == text.end() ? end : end + 1;
  }
}

// Each character goes into the last letter before it, unless one stands between that has its class, or is no mark.
std::u32string put_together(const std::u32string& text) {
  std::u32string made;
  std::size_t letter = std::u32string::npos;
  int between = 0;  // the class of what stands between: that of the last mark, as they are in order
  for (const char32_t c : text) {
    const int own = class_of_mark(c);
    const bool is_next = letter != std::u32string::npos && letter + 1 == made.size();
    if (letter != std::u32string::npos && (is_next || between < own))
      if (const char32_t composite = composite_of(made[letter], c)) {
        made[letter] = composite;
        continue;
      }
    if (own == 0) letter = made.size();
    between = own;
    made += c;
  }
  return made;
}

}  // namespace

std::string in_nfc(std::string_view text) {
  std::u32string decomposed;
  char32_t largest = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const auto [code, bytes] = first_character(rest);
    const bool is_broken = code == not_a_character;
    if (is_broken)
      decomposed += broken_byte + static_cast<unsigned char>(rest[0]);
    else
      append_decomposed(decomposed, code);
    if (!is_broken) largest = std::max(largest, code);
    rest.remove_prefix(bytes);
  }
  if (largest < 0x300) return std::string(text);  // there are no marks
  order_marks(decomposed);
  std::string made;
  for (const char32_t c : put_together(decomposed))
    made += c >= broken_byte ? std::string(1, static_cast<char>(c - broken_byte)) : to_utf8(c);
  return made;
}

}  // namespace regard::nn
