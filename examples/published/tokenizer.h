#pragma once

#include "examples/published/byte_pairs.h"
#include "examples/published/sentence_pieces.h"

#include <filesystem>
#include <variant>

namespace regard::nn {

// The tokenizer of a published model, of whichever kind its folder holds.
class PublishedTokenizer {
 public:
  // tokenizer.json in a folder; or tokenizer.model; or vocab.json and merges.txt.
  //
  // Of a tokenizer.json of Hugging Face's these are read: BPE of bytes (GPT-2, Llama 3, Qwen, SmolLM), BPE of pieces
  // with bytes where there is none (Llama 2, Gemma), added tokens, and the tokens that are put in front of a text.
  // Anything else is an IoError that names it. Chat templates, which are in tokenizer_config.json, are not read.
  static PublishedTokenizer load(const std::filesystem::path& folder);
  static PublishedTokenizer parse(std::string_view json, const std::string& file);

  explicit PublishedTokenizer(BytePairs pairs) : kind_(std::move(pairs)) {}
  explicit PublishedTokenizer(SentencePieces pieces) : kind_(std::move(pieces)) {}

  std::int64_t size() const;
  Tokens encode(std::string_view text) const;  // with the tokens that the model wants in front, and behind
  std::string decode(const Tokens& tokens) const;

  // The text of one token, given the one before it (−1: none). A token that the model has and the tokenizer has not is
  // no text: models often have some more, to make a round number.
  std::string text_of(std::int64_t token, std::int64_t previous) const;

 private:
  std::variant<BytePairs, SentencePieces> kind_;
  Tokens before_ = {}, behind_ = {};
  bool in_nfc_ = false;  // what is between special tokens is brought into this normal form (normal_form.h)
};

}  // namespace regard::nn
