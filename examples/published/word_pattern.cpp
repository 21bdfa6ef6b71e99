#include "examples/published/word_pattern.h"

#include "nn/text/unicode.h"

namespace regard::nn {
namespace {

// How many bytes, from `begin` on, are characters of the class.
std::size_t run_of(CharacterClass wanted, std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size()) {
    const auto [code, bytes] = first_character(text.substr(end));
    if (class_of(code) != wanted) break;
    end += bytes;
  }
  return end - begin;
}

std::size_t length_of_ending(std::string_view text) {
  for (const std::string_view ending : {"'s", "'t", "'d", "'m", "'ll", "'ve", "'re"})
    if (text.starts_with(ending)) return ending.size();
  return 0;
}

// Of white space that begins the text, what belongs to no word: all, or all but its last character.
std::size_t length_of_space(std::string_view text) {
  std::size_t end = 0, last = 0;  // `last` is where the last character begins
  while (end < text.size()) {
    const auto [code, bytes] = first_character(text.substr(end));
    if (class_of(code) != CharacterClass::space) break;
    last = end;
    end += bytes;
  }
  return end == text.size() || last == 0 ? end : last;
}

}  // namespace

std::size_t first_piece(std::string_view text) {
  if (const std::size_t ending = length_of_ending(text); ending > 0) return ending;
  const std::size_t blank = text.front() == ' ' && text.size() > 1 ? 1 : 0;
  const CharacterClass kind = class_of(first_character(text.substr(blank)).code);
  if (kind == CharacterClass::space) return length_of_space(text);
  return blank + run_of(kind, text, blank);
}

}  // namespace regard::nn
