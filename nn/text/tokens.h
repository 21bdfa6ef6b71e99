#pragma once

#include "tensor/tensor.h"

#include <vector>

namespace regard::nn {

// A text as numbers. Each is the index of a token in a vocabulary: a word, a character, a piece of a word.
using Tokens = std::vector<std::int64_t>;

Tensor token_tensor(const Tokens& tokens);  // (L), i64

}  // namespace regard::nn
