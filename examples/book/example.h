#pragma once

#include "autograd/variable.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"

#include <cmath>

namespace regard::book {

// The example of the book: the three tokens of "birds love singing". Each word has two features: is it a thing, is it a
// doing? Singing is both. The page examples/book/three_tokens.md has all that is computed with it.

// book: three_tokens
struct ThreeTokens {
  Tensor x;          // (3, 2)  what is known of the words
  Variable q, k, v;  // (3, 2)  queries, keys and values: x·W_q, x·W_k and x·W_v
};

inline Tensor numbers(const Nested& rows) { return tensor(rows, DType::f64); }

// With queries of √D·ln 2 times whole numbers every e^(q·k/√D) is a power of 2: √D cancels, and e^(n·ln 2) = 2ⁿ.
inline double unit(int features) { return std::sqrt(features) * std::log(2); }

inline ThreeTokens three_tokens() {
  return {.x = numbers({{1, 0}, {0, 1}, {1, 1}}),
          .q = parameter(unit(2) * numbers({{-1, -1}, {1, 0}, {0, -1}})),
          .k = parameter(numbers({{1, 0}, {0, 1}, {1, 1}})),
          .v = parameter(numbers({{0, 12}, {6, 0}, {6, 12}}))};
}
// book: /three_tokens

}  // namespace regard::book
