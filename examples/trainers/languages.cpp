#include "examples/trainers/languages.h"

#include "examples/published/byte_pairs.h"
#include "examples/published/character_class.h"
#include "nn/text/characters.h"
#include "nn/text/unicode.h"
#include "tensor/error.h"

#include <memory>

namespace regard {
namespace {

const nn::SpecialTokens special{.padding = "<pad>", .begin = "<bos>", .end = "<eos>"};

// Of Latin, Greek and Cyrillic letters.
char32_t lower_case(char32_t code) {
  const auto within = [&](char32_t first, char32_t last) { return code >= first && code <= last; };
  if (within('A', 'Z') || (within(0xC0, 0xDE) && code != 0xD7) || within(0x391, 0x3A9) || within(0x410, 0x42F))
    return code + 0x20;
  if (within(0x400, 0x40F)) return code + 0x50;
  if (code == 0x178) return 0xFF;  // Ÿ
  const bool odd_is_small = within(0x100, 0x137) || within(0x14A, 0x177),
             even_is_small = within(0x139, 0x148) || within(0x179, 0x17E);
  if ((odd_is_small && code % 2 == 0) || (even_is_small && code % 2 == 1)) return code + 1;
  return code;
}

Language with_specials(const nn::Vocabulary& vocabulary) {
  return {.size = vocabulary.size(),
          .begin = vocabulary.begin(),
          .end = vocabulary.end(),
          .padding = vocabulary.padding(),
          .encode = {},
          .decode = {},
          .piece = [vocabulary](std::int64_t token) { return vocabulary.word(token); },
          .unknown = {}};
}

}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  bool goes_on = false;  // the last word may get another letter
  for (std::string_view rest = text; !rest.empty();) {
    const nn::Character c = nn::first_character(rest);
    const std::string_view bytes = rest.substr(0, c.bytes);
    const nn::CharacterClass kind = nn::class_of(c.code);
    rest.remove_prefix(c.bytes);
    const bool is_part = kind == nn::CharacterClass::letter || kind == nn::CharacterClass::digit;
    const std::string small = is_part ? nn::to_utf8(lower_case(c.code)) : std::string(bytes);
    if (is_part && goes_on)
      words.back() += small;
    else if (kind != nn::CharacterClass::space)
      words.push_back(small);
    goes_on = is_part;
  }
  return words;
}

Language language_of_words(const std::vector<std::string>& texts, std::int64_t min_count) {
  std::vector<std::string> all;
  for (const std::string& text : texts)
    for (std::string& word : words_of(text)) all.push_back(std::move(word));
  nn::SpecialTokens with_unknown = special;
  with_unknown.unknown = "<unk>";
  const auto vocabulary = nn::Vocabulary::of_text(all, {.special = with_unknown, .min_count = min_count});
  Language language = with_specials(vocabulary);
  language.encode = [vocabulary](const std::string& text) { return vocabulary.encode(words_of(text)); };
  language.decode = [vocabulary](const nn::Tokens& tokens) { return join_words(vocabulary.decode(tokens), " "); };
  language.unknown = [vocabulary](const std::string& text) -> std::optional<std::string> {
    for (const std::string& word : words_of(text))
      if (!vocabulary.find(word)) return word;
    return {};
  };
  return language;
}

Language language_of_characters(const std::vector<std::string>& texts) {
  const nn::CharacterTokenizer characters(join_words(texts, ""), special);
  Language language = with_specials(characters.vocabulary());
  language.encode = [characters](const std::string& text) { return characters.encode(text); };
  language.decode = [characters](const nn::Tokens& tokens) { return characters.decode(tokens); };
  language.unknown = [characters](const std::string& text) -> std::optional<std::string> {
    for (std::string_view rest = text; !rest.empty();) {
      const std::string character(rest.substr(0, nn::first_character(rest).bytes));
      if (!characters.vocabulary().find(character)) return character;
      rest.remove_prefix(character.size());
    }
    return {};
  };
  return language;
}

Language language_of_byte_pairs(const std::vector<std::string>& texts, std::int64_t size) {
  const auto pairs = std::make_shared<const nn::BytePairs>(nn::BytePairs::train(
      join_words(texts, "\n"), {.vocabulary = size, .special = {special.padding, special.begin, special.end}}));
  return {.size = pairs->size(),
          .begin = pairs->special(special.begin),
          .end = pairs->special(special.end),
          .padding = pairs->special(special.padding),
          .encode = [pairs](const std::string& text) { return pairs->encode(text, nn::SpecialText::ordinary); },
          .decode = [pairs](const nn::Tokens& tokens) { return pairs->decode(tokens); },
          .piece = [pairs](std::int64_t token) { return pairs->bytes(token); },
          .unknown = [](const std::string&) { return std::optional<std::string>(); }};
}

}  // namespace regard
