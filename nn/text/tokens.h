#pragma once

#include "tensor/tensor.h"

#include <algorithm>

namespace regard::nn {

// A text as numbers. Each is the index of a token in a vocabulary: a word, a character, a piece of a word.
using Tokens = std::vector<std::int64_t>;

inline Tensor token_tensor(const Tokens& tokens) {  // (L), i64
  Tensor result = empty({std::ssize(tokens)}, DType::i64);
  std::copy(tokens.begin(), tokens.end(), result.writable<std::int64_t>());
  return result;
}

}  // namespace regard::nn
