#pragma once

#include "nn/transformer/embedding.h"
#include "nn/transformer/stack.h"

namespace regard::nn {

struct DecoderModelOptions {
  std::int64_t vocabulary, layers;
  LayerOptions layer;
  PositionKind positions = PositionKind::none;  // of what is added; rotary positions and ALiBi are scores
  std::int64_t longest = 0;                     // no sequence may be longer; 0: no limit
  bool scaled = false;                          // rows of tokens are multiplied by √E
  bool tied = true;                             // the output matrix is the table of tokens
  bool output_bias = false;
  std::optional<bool> final_norm = {};
};

struct DecoderCall {
  StackCache* cache = nullptr;  // the tokens go on where the last call ended
  Mask mask = {};               // what is hidden besides what comes later, such as padding
  Tensor begins = {};           // (B), i64: where each sequence begins, if they are padded on the left
  bool last = false;            // the logits of the last position only, (B, 1, V)
  bool weights = false;         // of all layers are to be returned
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
template <AnyScore S>
struct DecoderModel {
  TokenEmbedding embedding;
  DecoderStack<S> decoder;
  OutputLayer output;

  DecoderModel(const ScoreMaker<S>& score, const DecoderModelOptions& o, Generator& g)
      : embedding(embedding_options(o, o.vocabulary), g),
        decoder(score, {.layers = o.layers, .layer = o.layer, .final_norm = o.final_norm}, g),
        output({.size = o.layer.model,
                .vocabulary = o.vocabulary,
                .tied = o.tied,
                .bias = o.output_bias,
                .dtype = o.layer.dtype},
               g) {}
  DecoderModel(const S& score, const DecoderModelOptions& o, Generator& g)
      : DecoderModel(ScoreMaker<S>([&](Generator&) { return score; }), o, g) {}

  void visit(Visitor& v) {
    v("embedding", embedding);
    v("decoder", decoder);
    v("output", output);
  }

  std::int64_t vocabulary() const { return embedding.tokens.weight.size(0); }
  std::int64_t longest() const { return embedding.longest; }

  Variable operator()(const Tensor& tokens, const DecoderCall& call = {}) { return predict(tokens, call).logits; }

  // book: predict
  // tokens (B, L), i64
  ModelOutput predict(const Tensor& tokens, const DecoderCall& call = {}) {
    const std::int64_t offset = call.cache ? call.cache->length() : 0;
    Mask mask = Mask::causal() & call.mask;
    if (call.begins.defined()) mask = mask & Mask::valid_from(call.begins);
    auto [x, weights] = decoder(embedding(tokens, offset, call.begins), mask,
                                {.weights = call.weights, .head_mask = call.head_mask, .cache = call.cache});
    return {output(call.last ? slice(x, 1, -1) : x, embedding.tokens), std::move(weights)};
  }
  // book: /predict
};

}  // namespace regard::nn
