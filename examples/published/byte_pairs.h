#pragma once

#include "examples/published/word_pattern.h"
#include "nn/text/vocabulary.h"

#include <array>
#include <filesystem>
#include <string_view>

namespace regard::nn {

struct BytePairOptions {
  std::int64_t vocabulary;                // how many tokens: the special ones, 256 bytes, and what is merged from them
  std::vector<std::string> special = {};  // such as <|endoftext|>
};

// What encode makes of the text of a special token.
enum class SpecialText {
  token,     // the special token
  ordinary,  // the same as of any other text: for texts of strangers, who must not be able to write special tokens
};

// A text as pieces of words, with no text that cannot be written (byte-level byte-pair encoding, as GPT-2 has it).
// At first each of the 256 bytes is a token. Training looks for the two tokens that stand beside each other most often,
// makes a token of the pair, and does so again until the vocabulary is full. Encoding makes the same merges in the same
// order. No piece reaches over the borders of words (text/word_pattern.h), or over a special token.
class BytePairs {
 public:
  // Two pairs may be equally frequent: then the one whose bytes come later in the dictionary is merged, the first of
  // the two pieces compared before the second. Training stops early where no pairs are left.
  static BytePairs train(std::string_view text, const BytePairOptions& options);

  // vocab.json and merges.txt in a folder: the files that GPT-2 came with, and others write too.
  static BytePairs load(const std::filesystem::path& folder);

  // What other files hold: all pieces, as bytes, the special ones by name; and the merges in their order.
  struct Content {
    std::vector<std::string> pieces;
    std::vector<std::int64_t> special;
    std::vector<std::pair<std::string, std::string>> merges;
    WordPattern pattern = WordPattern::gpt2;
    bool whole_words = false;  // a word that is a piece is taken whole, whatever the merges would make of it
  };
  static BytePairs of(const Content& content, const std::string& file);

  static BytePairs parse(const std::string& vocabulary, const std::string& merges, const std::string& folder);
  void save(const std::filesystem::path& folder) const;

  Tokens encode(std::string_view text, SpecialText special = SpecialText::token) const;

  // The bytes of the tokens, one after another. Those of a single token need not be whole characters.
  std::string decode(const Tokens& tokens) const;

  std::int64_t size() const { return static_cast<std::int64_t>(pieces_.size()); }
  const std::string& bytes(std::int64_t token) const;  // of a special token its name
  std::int64_t special(const std::string& name) const;
  std::size_t merge_count() const { return merges_.size(); }

  // The parts of a text between special tokens, and these. A part without text is left out.
  struct Part {
    std::string_view text;
    std::int64_t special;  // −1 for ordinary text
  };
  std::vector<Part> parts(std::string_view text) const;

  // Two tokens that make a third. Its rank is its place among the merges: lower ones are made first.
  struct Merge {
    std::int64_t left, right, result;
  };
  struct Ranked {
    std::int64_t rank, result;
  };
  const Ranked* find_merge(std::int64_t left, std::int64_t right) const;  // null where the two are never merged
  std::int64_t token_of(unsigned char byte) const { return bytes_[byte]; }

 private:
  friend class BytePairTrainer;
  friend class BytePairReader;
  BytePairs() = default;
  std::int64_t add(const std::string& piece);
  void add_merge(std::int64_t left, std::int64_t right, std::int64_t result);

  std::vector<std::string> pieces_;
  std::unordered_map<std::string, std::int64_t> numbers_;  // of pieces that are not special
  std::unordered_map<std::string, std::int64_t> special_;
  std::array<std::int64_t, 256> bytes_{};
  std::vector<Merge> merges_;
  std::unordered_map<std::uint64_t, Ranked> ranks_;
  WordPattern pattern_ = WordPattern::gpt2;
  bool whole_words_ = false;
};

}  // namespace regard::nn
