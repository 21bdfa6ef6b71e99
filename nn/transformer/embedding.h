#pragma once

#include "nn/attention/positions/learned.h"
#include "nn/layers/dropout.h"
#include "nn/layers/embedding.h"
#include "nn/layers/linear.h"

namespace regard::nn {

// What is added to the rows of tokens to say where they stand. Rotary positions and ALiBi are not among them: they are
// scores.
enum class PositionKind {
  none,
  learned,     // a table with a row for each of `longest` positions
  sinusoidal,  // sines and cosines of the position: attention/positions/sinusoidal.h
};

struct TokenEmbeddingOptions {
  std::int64_t vocabulary, size;  // V, E
  PositionKind positions = PositionKind::none;
  std::int64_t longest = 0;  // no sequence may be longer; 0: no limit
  // Rows are multiplied by √E. They start with variance 1/E instead of 1, so that the products are as large as
  // sinusoidal positions, while the same rows, as an output matrix, give logits of variance 1.
  bool scaled = false;
  bool as_output = false;  // the rows are an output matrix, too: they start with variance 1/E
  double dropout = 0;      // of the sum of rows and positions
  DType dtype = DType::f32;
};

// The options of embeddings, from those of a whole model.
template <class ModelOptions>
TokenEmbeddingOptions embedding_options(const ModelOptions& o, std::int64_t vocabulary) {
  return {.vocabulary = vocabulary,
          .size = o.layer.model,
          .positions = o.positions,
          .longest = o.longest,
          .scaled = o.scaled,
          .as_output = o.tied,
          .dropout = o.layer.dropout,
          .dtype = o.layer.dtype};
}

// Tokens (B, L), i64 → what goes into the first layer, (B, L, E).
struct TokenEmbedding {
  Embedding tokens;
  PositionKind kind;
  std::optional<LearnedPositions> positions;
  std::int64_t longest;
  double scale;
  Dropout dropout;

  TokenEmbedding(const TokenEmbeddingOptions& options, Generator& generator);
  void visit(Visitor& v) {
    v("tokens", tokens);
    v("positions", positions);
    v("dropout", dropout);
  }

  // The first token stands at position `offset`. If sequences are padded on the left, `begins` (B) says where each
  // begins: its position 0 is there.
  Variable operator()(const Tensor& ids, std::int64_t offset = 0, const Tensor& begins = {});

 private:
  Variable with_positions(const Variable& rows, std::int64_t offset, const Tensor& begins) const;
};

// The output layer of a whole model: none if it is tied.
template <class ModelOptions>
std::optional<Linear> make_output(const ModelOptions& o, std::int64_t vocabulary, Generator& g) {
  if (o.tied) return {};
  return Linear({.in = o.layer.model, .out = vocabulary, .bias = false, .dtype = o.layer.dtype}, g);
}

// What comes out of the last layer, (…, E) → the logits of all tokens, (…, V):  x·Wᵀ. Without an output layer W is the
// table of tokens.
Variable logits_of(const Variable& x, const std::optional<Linear>& output, const Embedding& tokens);

}  // namespace regard::nn
