#pragma once

#include "nn/transformer/embedding.h"
#include "nn/transformer/stack.h"

namespace regard::nn {

struct DecoderModelOptions {
  std::int64_t vocabulary, layers;
  LayerOptions layer;
  PositionKind positions = PositionKind::none;  // that are added; rotary positions and ALiBi are scores
  std::int64_t longest = 0;                     // no sequence may be longer; 0: no limit
  bool scaled = false;                          // rows of tokens are multiplied by √E
  bool tied = true;                             // the output matrix is the table of tokens
};

struct DecoderCall {
  StackCache* cache = nullptr;  // the tokens go on where the last call ended
  Mask mask = {};               // besides causal(): of padding, say
  Tensor begins = {};           // (B), i64: where each sequence begins, if they are padded on the left
  bool last = false;            // the logits of the last position only, (B, 1, V)
  bool weights = false;         // return those of all layers
  Variable head_mask = {};      // (layers, H)
};

struct ModelOutput {
  Variable logits;                    // (B, L, V): of the token that comes after each position
  std::vector<LayerWeights> weights;  // of each layer; empty if not asked for
};

// A model that writes: from the tokens so far, how likely each token of the vocabulary is to be the next. Every
// position sees those before it and itself, so all predictions of a text are made, and trained, at once.
//
//   DecoderModel gpt(ScaledDotProduct{}, {.vocabulary = 65, .layers = 4, .layer = {…}, .positions = learned, …}, g);
struct DecoderModel {
  TokenEmbedding embedding;
  DecoderStack decoder;
  std::optional<Linear> output;  // none if it is tied

  DecoderModel(const AttentionMaker& attention, const DecoderModelOptions& options, Generator& generator);
  void visit(Visitor& v);

  std::int64_t vocabulary() const { return embedding.tokens.weight.size(0); }
  std::int64_t longest() const { return embedding.longest; }

  Variable operator()(const Tensor& tokens, const DecoderCall& call = {}) { return predict(tokens, call).logits; }
  ModelOutput predict(const Tensor& tokens, const DecoderCall& call = {});  // tokens (B, L), i64
};

// What a call asks of the stack of layers.
StackCall of_stack(const DecoderCall& call);

}  // namespace regard::nn
