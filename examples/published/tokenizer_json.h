#pragma once

#include "examples/published/byte_pairs.h"
#include "examples/published/sentence_pieces.h"

namespace regard::nn {

// What a tokenizer.json says: the content of one of the two kinds, and the tokens around a text.
struct TokenizerJson {
  bool of_bytes;
  BytePairs::Content bytes;
  SentencePieces::Content pieces;
  Tokens before, behind;
  bool in_nfc;  // texts are brought into this normal form; of bytes only
};
TokenizerJson read_tokenizer_json(std::string_view text, const std::string& file);

}  // namespace regard::nn
