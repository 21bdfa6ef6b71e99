#pragma once

#include "nn/text/tokens.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace regard {

// A language as a model reads or writes it: what the tokens of its texts are.
struct Language {
  std::int64_t size, begin, end, padding;
  std::function<nn::Tokens(const std::string& text)> encode;
  std::function<std::string(const nn::Tokens& tokens)> decode;
  std::function<std::string(std::int64_t token)> piece;                        // to be written beside a picture
  std::function<std::optional<std::string>(const std::string& text)> unknown;  // what in a text has no token
};

// Tokens are words that occur in these texts `min_count` times or more; others are all the same unknown word.
Language language_of_words(const std::vector<std::string>& texts, std::int64_t min_count = 1);

// Tokens are the characters that occur in these texts; others are errors.
Language language_of_characters(const std::vector<std::string>& texts);

// Tokens are pieces that are frequent in these texts; with them everything can be written.
Language language_of_byte_pairs(const std::vector<std::string>& texts, std::int64_t size);

// The words of a text in lower case; a mark is a word of its own, and so is an apostrophe.
std::vector<std::string> words_of(const std::string& text);

}  // namespace regard
