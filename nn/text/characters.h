#pragma once

#include "nn/text/vocabulary.h"

namespace regard::nn {

// A text as its characters: one token for each code point of Unicode (text/unicode.h).
class CharacterTokenizer {
 public:
  // All characters that occur in the text, in the order of their code points, after the special tokens.
  explicit CharacterTokenizer(std::string_view text, const SpecialTokens& special = {});

  const Vocabulary& vocabulary() const { return vocabulary_; }

  // A character that is not in the vocabulary becomes the unknown token, or is an error that says which and where.
  Tokens encode(std::string_view text) const;
  std::string decode(const Tokens& tokens) const;  // special tokens give no text, but for the unknown

 private:
  Vocabulary vocabulary_;
};

}  // namespace regard::nn
