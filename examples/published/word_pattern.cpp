#include "examples/published/word_pattern.h"

#include "examples/published/character_class.h"
#include "nn/text/unicode.h"

#include <algorithm>
#include <string>

namespace regard::nn {
namespace {

// How many bytes, from `begin` on, are characters that pass.
template <class Passes>
std::size_t run_while(const Passes& passes, std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size()) {
    const auto [code, bytes] = first_character(text.substr(end));
    if (!passes(code)) break;
    end += bytes;
  }
  return end - begin;
}
std::size_t run_of(CharacterClass wanted, std::string_view text, std::size_t begin) {
  return run_while([=](char32_t code) { return class_of(code) == wanted; }, text, begin);
}
std::size_t run_of(Case wanted, std::string_view text, std::size_t begin) {  // what has no case fits both
  const auto fits = [=](char32_t code) { return case_of(code) == wanted || case_of(code) == Case::caseless; };
  return run_while(fits, text, begin);
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

std::size_t length_of_ending_in_any_case(std::string_view text) {
  constexpr std::string_view long_s = "'ſ";  // its capital is S, too
  if (text.starts_with(long_s)) return long_s.size();
  std::string small(text.substr(0, 3));
  for (char& c : small) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return length_of_ending(small);
}

// What may stand in front of a word and belong to it: a character that is no letter, digit or line break.
std::size_t length_of_front(std::string_view text) {
  const auto [code, bytes] = first_character(text);
  const CharacterClass kind = class_of(code);
  const bool is_line_break = code == '\n' || code == '\r';
  return kind == CharacterClass::letter || kind == CharacterClass::digit || is_line_break ? 0 : bytes;
}

// A piece that is no word. Behind marks it may have some of the characters of `ends`.
std::size_t piece_without_letters(std::string_view text, std::size_t most_digits, std::string_view ends) {
  std::size_t end = 0;
  for (std::size_t digits = 0; digits < most_digits && run_of(CharacterClass::digit, text, end) > 0; ++digits)
    end += first_character(text.substr(end)).bytes;
  if (end > 0) return end;
  const std::size_t blank = text.front() == ' ' ? 1 : 0;
  if (const std::size_t marks = run_of(CharacterClass::mark, text, blank); marks > 0)
    return std::min(text.find_first_not_of(ends, blank + marks), text.size());
  const std::string_view space = text.substr(0, run_of(CharacterClass::space, text, 0));
  const std::size_t last = space.find_last_of("\r\n");
  return last == std::string_view::npos ? length_of_space(text) : last + 1;
}

std::size_t llama3_piece(std::string_view text, std::size_t most_digits) {
  if (const std::size_t ending = length_of_ending_in_any_case(text); ending > 0) return ending;
  const std::size_t front = length_of_front(text);
  if (const std::size_t letters = run_of(CharacterClass::letter, text, front); letters > 0) return front + letters;
  return piece_without_letters(text, most_digits, "\r\n");
}

// Capitals, or none, and at least one small letter. If none is small behind the capitals, the last letter without case
// is taken for one, and capitals behind it are left to the next word.
std::size_t small_word(std::string_view text) {
  const std::size_t capitals = run_of(Case::capital, text, 0), small = run_of(Case::small, text, capitals);
  if (small > 0) return capitals + small;
  std::size_t length = 0;
  for (std::size_t end = 0; end < capitals;) {
    const auto [code, bytes] = first_character(text.substr(end));
    end += bytes;
    if (case_of(code) == Case::caseless) length = end;
  }
  return length;
}

std::size_t gpt_oss_piece(std::string_view text) {
  const std::size_t front = length_of_front(text);
  std::size_t word = 0;
  if (const std::size_t small = small_word(text.substr(front)); small > 0)
    word = front + small;
  else if (const std::size_t alone = small_word(text); alone > 0)  // the front is an accent
    word = alone;
  else if (const std::size_t capitals = run_of(Case::capital, text, front); capitals > 0)
    word = front + capitals;
  if (word > 0) return word + length_of_ending_in_any_case(text.substr(word));
  return piece_without_letters(text, 3, "\r\n/");
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
    case WordPattern::qwen: return llama3_piece(text, 1);
    case WordPattern::gpt_oss: break;
  }
  return gpt_oss_piece(text);
}

std::optional<WordPattern> pattern_of_regex(std::string_view regex) {
  constexpr std::string_view begin = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})";
  constexpr std::string_view end = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  if (regex == R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)")
    return WordPattern::gpt2;
  if (regex == std::string(begin) + std::string(end)) return WordPattern::qwen;
  if (regex == std::string(begin) + "{1,3}" + std::string(end)) return WordPattern::llama3;
  if (regex == R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
               R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
               R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
               R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
               R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)")
    return WordPattern::gpt_oss;
  return std::nullopt;
}

}  // namespace regard::nn
