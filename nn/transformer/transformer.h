#pragma once

#include "nn/transformer/decoder_model.h"

namespace regard::nn {

struct TransformerOptions {
  std::int64_t source_vocabulary, target_vocabulary;
  std::int64_t encoder_layers, decoder_layers;
  LayerOptions layer;
  PositionKind positions = PositionKind::sinusoidal;
  std::int64_t longest = 0;       // no sequence may be longer; 0: no limit
  bool scaled = true;             // rows of tokens are multiplied by √E
  bool shared_embedding = false;  // source and target are written in the same vocabulary, and share its table
  bool tied = true;               // the output matrix is the table of the target's tokens
  bool output_bias = false;
  std::optional<bool> final_norm = {};
};

// What an encoder has made of the source: the memory (B, Ls, E), and what of it is real.
struct Encoded {
  Variable memory;
  Mask mask;
  std::vector<LayerWeights> weights;  // of each layer of the encoder; empty if not asked for
};

// Encoder and decoder ("Attention is all you need"): the encoder reads the source as a whole, each position looking at
// all others; the decoder writes the target, each position looking at what is written so far, and at the source.
//
//   Encoded source = model.encode(tokens, Mask::valid_lengths(lengths));
//   Variable logits = model.decode(shifted, source);                       // (B, Lt, V)
template <AnyScore S, AnyScore Cross = ScaledDotProduct>
struct Transformer {
  TokenEmbedding source, target;
  EncoderStack<S> encoder;
  DecoderStack<S, Cross> decoder;
  OutputLayer output;

  Transformer(const ScoreMaker<S>& score, const ScoreMaker<Cross>& cross, const TransformerOptions& o, Generator& g)
      : source(embedding_options(o, o.source_vocabulary), g),
        target(embedding_options(o, o.target_vocabulary), g),
        encoder(score, {.layers = o.encoder_layers, .layer = o.layer, .final_norm = o.final_norm}, g),
        decoder(score, cross, {.layers = o.decoder_layers, .layer = o.layer, .final_norm = o.final_norm}, g),
        output({.size = o.layer.model,
                .vocabulary = o.target_vocabulary,
                .tied = o.tied,
                .bias = o.output_bias,
                .dtype = o.layer.dtype},
               g) {
    if (!o.shared_embedding) return;
    if (o.source_vocabulary != o.target_vocabulary)
      fail<ValueError>("Transformer: vocabularies of {} and {} tokens cannot share a table", o.source_vocabulary,
                       o.target_vocabulary);
    source.tokens = target.tokens;
  }
  Transformer(const S& score, const TransformerOptions& o, Generator& g)
      : Transformer(ScoreMaker<S>([&](Generator&) { return score; }),
                    ScoreMaker<Cross>([](Generator&) { return Cross{}; }), o, g) {}

  void visit(Visitor& v) {
    v("source", source);
    v("target", target);
    v("encoder", encoder);
    v("decoder", decoder);
    v("output", output);
  }

  std::int64_t vocabulary() const { return target.tokens.weight.size(0); }
  std::int64_t longest() const { return target.longest; }

  // book: encode
  // tokens (B, Ls), i64; the mask says what is padding.
  Encoded encode(const Tensor& tokens, const Mask& mask = {}, const StackCall& call = {}) {
    auto [memory, weights] = encoder(source(tokens), mask, call);
    return {memory, mask, std::move(weights)};
  }
  // book: /encode

  Variable decode(const Tensor& tokens, const Encoded& from, const DecoderCall& call = {}) {
    return predict(tokens, from, call).logits;
  }
  // tokens (B, Lt), i64. With weights: those of each layer, own and cross.
  ModelOutput predict(const Tensor& tokens, const Encoded& from, const DecoderCall& call = {}) {
    const std::int64_t offset = call.cache ? call.cache->length() : 0;
    Mask mask = Mask::causal() & call.mask;
    if (call.begins.defined()) mask = mask & Mask::valid_from(call.begins);
    auto [x, weights] = decoder(target(tokens, offset, call.begins), from.memory, mask, from.mask,
                                {.weights = call.weights, .head_mask = call.head_mask, .cache = call.cache});
    return {output(call.last ? slice(x, 1, -1) : x, target.tokens), std::move(weights)};
  }
};

}  // namespace regard::nn
