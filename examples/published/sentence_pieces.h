#pragma once

#include "nn/text/vocabulary.h"

#include <array>
#include <filesystem>
#include <string_view>

namespace regard::nn {

// Pieces of text in the manner of SentencePiece, as Llama 2 and Gemma have them. There are no words here: of all
// neighbours whose union is a piece, those with the highest score are merged first. (In a tokenizer.json the merges are
// a list instead, and what comes first in it is merged first.) Characters that are no piece are written as bytes,
// <0xE2>, where the vocabulary has those, and otherwise become the unknown piece, several in a row one.
class SentencePieces {
 public:
  // A file of llama2.c such as tok512.bin: u32, the length of the longest piece; and for each piece f32 score, i32
  // length, and its bytes. The first three are unknown, begin and end. The file does not say how many there are: all
  // that it holds are read. Where the caller knows the number, the vocabulary of the model, another one is an error.
  static SentencePieces load(const std::filesystem::path& path, std::optional<std::int64_t> vocabulary = {});
  static SentencePieces parse(std::string_view bytes, const std::string& file,
                              std::optional<std::int64_t> vocabulary = {});
  void save(const std::filesystem::path& path) const;

  // A tokenizer.model of SentencePiece, of the kind BPE (the kind unigram is refused).
  static SentencePieces load_model(const std::filesystem::path& path);
  static SentencePieces parse_model(std::string_view bytes, const std::string& file);

  enum class Kind : std::uint8_t {
    normal,
    unknown,
    control,  // such as begin and end: no text is ever one, and none comes of one
    special,  // a text that is always one token, and cuts the others
    byte,
    unused,
  };
  enum class Blank { none, first, each };  // put in front of no text, of the first between special tokens, of each

  struct Content {
    std::vector<std::string> pieces;  // with blanks, where files write ▁
    std::vector<Kind> kinds;
    std::vector<float> scores = {};
    std::vector<std::pair<std::string, std::string>> merges = {};  // in place of scores
    Blank blank = Blank::first;
    bool reads_control = false;                  // a text that is the name of a control piece is that piece
    std::int64_t begin = SentencePieces::begin;  // what a text begins with; negative: nothing
  };
  static SentencePieces of(Content content, const std::string& file);

  static constexpr std::int64_t unknown = 0, begin = 1, end = 2;  // of a file of llama2.c

  std::int64_t size() const { return std::ssize(pieces_); }
  std::int64_t first() const { return first_; }  // the token that every text begins with; negative: none
  const std::string& piece(std::int64_t token) const;
  double score(std::int64_t token) const;

  // The tokens of a text, without begin and end. A blank is put in front of it, since words begin with their blank.
  Tokens encode(std::string_view text) const;

  // The text of the tokens; begin and end have none. The blank that encode puts in front is dropped after `begin`.
  std::string decode(const Tokens& tokens) const;

  // The same for one token, given the one before it: what a program prints as tokens come.
  std::string text_of(std::int64_t token, std::int64_t previous) const;

 private:
  struct Ranked {
    double priority;
    std::int64_t token;
  };
  SentencePieces() = default;
  std::optional<std::int64_t> find(std::string_view text) const;
  std::optional<Ranked> union_of(std::int64_t left, std::int64_t right) const;
  void encode_ordinary(std::string_view text, Tokens& tokens) const;
  bool is(Kind kind, std::int64_t token) const { return kinds_[static_cast<std::size_t>(token)] == kind; }

  std::vector<std::string> pieces_;
  std::vector<Kind> kinds_;
  std::vector<float> scores_;
  std::unordered_map<std::string, std::int64_t> numbers_;  // of equal pieces the first
  std::vector<std::pair<std::string, std::int64_t>> special_;
  std::unordered_map<std::uint64_t, Ranked> merges_;  // of two tokens; empty: scores decide
  std::array<std::int64_t, 256> bytes_{};
  bool has_bytes_ = false;
  std::int64_t first_ = begin;
  std::int64_t unknown_ = 0;
  Blank blank_ = Blank::first;
};

}  // namespace regard::nn
