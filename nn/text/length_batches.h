#pragma once

#include "nn/data.h"
#include "nn/text/tokens.h"
#include "tensor/random/generator.h"

#include <array>

namespace regard::nn {

// Sequences of one kind: those of row i of each kind belong together, such as a sentence and its translation.
using Sequences = std::vector<Tokens>;

// Sequences of different lengths as one tensor: token j of sequence b is real where j < lengths[b]; behind it stands
// padding. L is the longest length, and at least 1.
struct PaddedTokens {
  Tensor tokens;   // (B, L), i64
  Tensor lengths;  // (B), i64
};
PaddedTokens pad_right(const Sequences& sequences, std::int64_t padding);

// Throws unless tokens are (B, L), i64, and lengths (B), each from 0 to L.
void require_padded(const char* function, const Tensor& tokens, const Tensor& lengths);

struct LengthBatchOptions {
  std::int64_t size;     // how many rows a batch has; the last one may have fewer
  std::int64_t padding;  // the token that fills up
  bool shuffle = true;   // rows of one length, and the batches, come in random order; else lengths ascend
};

// The rows of each batch. Rows are sorted by the length of their first sequence, then of the second …, and cut into
// batches; so those of a batch are nearly alike, and little is padded.
std::vector<Tokens> rows_of_similar_length(const Sequences* kinds, std::size_t count, const LengthBatchOptions& options,
                                           Generator& generator);
PaddedTokens pad_rows(const Sequences& sequences, const Tokens& rows, std::int64_t padding);

// One pass through sequences, in batches whose rows have similar lengths:
//   for (const auto& [source, target] : length_batches(std::array{sources, targets}, {.size = 64, .padding = 0}, g)) …
// Each call takes a new order from the generator, so the seed fixes the orders of all passes.
template <std::size_t N>
Batches<std::array<PaddedTokens, N>> length_batches(std::array<Sequences, N> kinds, const LengthBatchOptions& options,
                                                    Generator& generator) {
  std::vector<Tokens> rows = rows_of_similar_length(kinds.data(), N, options, generator);
  const std::int64_t count = std::ssize(rows);
  return {count, [kinds = std::move(kinds), rows = std::move(rows), padding = options.padding](std::int64_t i) {
            std::array<PaddedTokens, N> batch;
            for (std::size_t k = 0; k < N; ++k)
              batch[k] = pad_rows(kinds[k], rows[static_cast<std::size_t>(i)], padding);
            return batch;
          }};
}

}  // namespace regard::nn
