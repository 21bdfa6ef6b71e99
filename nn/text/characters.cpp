#include "nn/text/characters.h"

#include "nn/save/json.h"
#include "nn/text/unicode.h"

#include <set>

namespace regard::nn {
namespace {

// Calls see(character, offset) for each character of a text.
template <class See>
void each_character(std::string_view text, See&& see) {
  for (std::size_t offset = 0; offset < text.size();) {
    const auto [code, bytes] = first_character(text.substr(offset));
    if (code == not_a_character)
      fail<ValueError>("characters: the text is not UTF-8: byte {} of it is 0x{:02X}", offset,
                       static_cast<unsigned char>(text[offset]));
    see(text.substr(offset, bytes), offset);
    offset += bytes;
  }
}

// UTF-8 has the order of the code points.
std::vector<std::string> distinct_characters(std::string_view text) {
  std::set<std::string_view> characters;
  each_character(text, [&](std::string_view character, std::size_t) { characters.insert(character); });
  return {characters.begin(), characters.end()};
}

}  // namespace

CharacterTokenizer::CharacterTokenizer(std::string_view text, const SpecialTokens& special)
    : vocabulary_(distinct_characters(text), special) {}

Tokens CharacterTokenizer::encode(std::string_view text) const {
  Tokens tokens;
  each_character(text, [&](std::string_view character, std::size_t offset) {
    const std::string word(character);
    const auto token = vocabulary_.find(word);
    if (!token && vocabulary_.special().unknown.empty())
      fail<ValueError>("characters: {}, at byte {} of the text, is not among the {} characters of the vocabulary",
                       in_quotes(word), offset, vocabulary_.size());
    tokens.push_back(token ? *token : vocabulary_.unknown());
  });
  return tokens;
}

std::string CharacterTokenizer::decode(const Tokens& tokens) const {
  return join_words(vocabulary_.decode(tokens), "");
}

}  // namespace regard::nn
