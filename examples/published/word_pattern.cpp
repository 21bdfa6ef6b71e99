#include "examples/published/word_pattern.h"

#include "examples/published/character_class.h"
#include "nn/text/unicode.h"

#include <string>

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

std::size_t gpt2_piece(std::string_view text) {
  if (const std::size_t ending = length_of_ending(text); ending > 0) return ending;
  const std::size_t blank = text.front() == ' ' && text.size() > 1 ? 1 : 0;
  const CharacterClass kind = class_of(first_character(text.substr(blank)).code);
  if (kind == CharacterClass::space) return length_of_space(text);
  return blank + run_of(kind, text, blank);
}

bool is_line_break(char c) { return c == '\n' || c == '\r'; }
std::size_t line_breaks(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_line_break(text[end])) ++end;
  return end - begin;
}

std::size_t llama3_piece(std::string_view text, std::size_t most_digits) {
  std::string small(text.substr(0, 3));
  for (char& c : small) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (const std::size_t ending = length_of_ending(small); ending > 0) return ending;
  const auto [code, bytes] = first_character(text);
  const CharacterClass kind = class_of(code);
  if (kind == CharacterClass::digit) {
    std::size_t end = 0;
    for (std::size_t digits = 0; digits < most_digits && run_of(kind, text, end) > 0; ++digits)
      end += first_character(text.substr(end)).bytes;
    return end;
  }
  const std::size_t before = kind == CharacterClass::letter || is_line_break(text.front()) ? 0 : bytes;
  if (const std::size_t letters = run_of(CharacterClass::letter, text, before); letters > 0) return before + letters;
  const std::size_t blank = text.front() == ' ' ? 1 : 0;
  if (const std::size_t marks = run_of(CharacterClass::mark, text, blank); marks > 0)
    return blank + marks + line_breaks(text, blank + marks);
  const std::string_view space = text.substr(0, run_of(CharacterClass::space, text, 0));
  const std::size_t last = space.find_last_of("\r\n");
  return last == std::string_view::npos ? length_of_space(text) : last + 1;
}

// Up to the first digit; a digit alone.
std::string_view without_digits(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    const auto [code, bytes] = first_character(text.substr(end));
    if (class_of(code) == CharacterClass::digit) return text.substr(0, end == 0 ? bytes : end);
    end += bytes;
  }
  return text;
}

}  // namespace

std::size_t first_piece(std::string_view text, WordPattern pattern) {
  switch (pattern) {
    case WordPattern::gpt2: return gpt2_piece(text);
    case WordPattern::gpt2_single_digits: return gpt2_piece(without_digits(text));
    case WordPattern::llama3: return llama3_piece(text, 3);
    case WordPattern::qwen: break;
  }
  return llama3_piece(text, 1);
}

std::optional<WordPattern> pattern_of_regex(std::string_view regex) {
  constexpr std::string_view begin = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})";
  constexpr std::string_view end = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  if (regex == R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)")
    return WordPattern::gpt2;
  if (regex == std::string(begin) + std::string(end)) return WordPattern::qwen;
  if (regex == std::string(begin) + "{1,3}" + std::string(end)) return WordPattern::llama3;
  return std::nullopt;
}

}  // namespace regard::nn
