#pragma once

#include "nn/text/tokens.h"

#include <optional>
#include <unordered_map>

namespace regard::nn {

// Tokens that stand for no text. An empty name means that there is no such token.
struct SpecialTokens {
  std::string padding = {};  // fills up short sequences
  std::string begin = {}, end = {};
  std::string unknown = {};  // stands for every word that is not in the vocabulary
};

struct VocabularyOptions {
  SpecialTokens special = {};
  std::int64_t min_count = 1;  // words that are rarer are left out
};

// Words and their numbers. Which strings are words is not decided here: letters, phonemes and pixels are words too.
class Vocabulary {
 public:
  Vocabulary() = default;  // without words

  // Special tokens first, and then the words in the order given. No two may be the same.
  explicit Vocabulary(const std::vector<std::string>& words, const SpecialTokens& special = {});

  // The words of a text: the frequent ones first, and those that are equally frequent by their bytes.
  static Vocabulary of_text(const std::vector<std::string>& text, const VocabularyOptions& options = {});

  std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }

  // The number of a word. One that is not here has the number of the unknown token; without such a token it is an
  // error.
  std::int64_t operator[](const std::string& word) const;
  std::optional<std::int64_t> find(const std::string& word) const;
  const std::string& word(std::int64_t token) const;

  Tokens encode(const std::vector<std::string>& words) const;
  std::vector<std::string> decode(const Tokens& tokens) const;  // without special tokens, but for the unknown

  // The number of a special token, which must exist.
  std::int64_t padding() const { return special_number("padding", special_.padding); }
  std::int64_t begin() const { return special_number("begin", special_.begin); }
  std::int64_t end() const { return special_number("end", special_.end); }
  std::int64_t unknown() const { return special_number("unknown", special_.unknown); }
  const SpecialTokens& special() const { return special_; }
  bool is_special(std::int64_t token) const;

 private:
  void add(const std::string& word);
  std::int64_t special_number(const char* role, const std::string& name) const;

  SpecialTokens special_;
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::int64_t> numbers_;
};

}  // namespace regard::nn
