#pragma once

#include "nn/text/vocabulary.h"

#include <filesystem>
#include <string_view>

namespace regard::nn {

// The tokenizer of llama2.c: pieces of text with scores, in the manner of SentencePiece. There are no words here and no
// list of merges: of all neighbours whose union is a piece, those with the highest score are merged first.
//
// Three pieces come first, unknown, begin and end; then the 256 bytes as <0x00> … <0xFF>, for characters that are no
// piece; and then the others.
class SentencePieces {
 public:
  // A file such as tok512.bin: u32, the length of the longest piece; and for each piece f32 score, i32 length, and its
  // bytes. The file does not say how many there are: all that it holds are read, and where the caller knows the number,
  // the vocabulary of the model, another one is an error.
  static SentencePieces load(const std::filesystem::path& path, std::optional<std::int64_t> vocabulary = {});
  static SentencePieces parse(std::string_view bytes, const std::string& file,
                              std::optional<std::int64_t> vocabulary = {});
  void save(const std::filesystem::path& path) const;

  static constexpr std::int64_t unknown = 0, begin = 1, end = 2;

  std::int64_t size() const { return static_cast<std::int64_t>(pieces_.size()); }
  const std::string& piece(std::int64_t token) const;
  double score(std::int64_t token) const;

  // The tokens of a text, without begin and end. A blank is put in front of it, since words begin with their blank.
  Tokens encode(std::string_view text) const;

  // The text of the tokens; begin and end have none. The blank that encode puts in front is dropped after `begin`.
  std::string decode(const Tokens& tokens) const;

  // The same for one token, given the one before it: what a program prints as tokens come.
  std::string text_of(std::int64_t token, std::int64_t previous) const;

 private:
  std::optional<std::int64_t> find(std::string_view text) const;

  std::vector<std::string> pieces_;
  std::vector<float> scores_;
  std::unordered_map<std::string, std::int64_t> numbers_;  // of equal pieces the first
};

}  // namespace regard::nn
