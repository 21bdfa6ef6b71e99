#pragma once

#include "nn/transformer/decoder_model.h"

namespace regard::nn {

struct TransformerOptions {
  std::int64_t source_vocabulary, target_vocabulary;
  std::int64_t encoder_layers, decoder_layers;
  LayerOptions layer;
  PositionKind positions = PositionKind::sinusoidal;
  std::int64_t longest = 0;  // no sequence may be longer; 0: no limit
  bool scaled = true;        // rows of tokens are multiplied by √E
  bool tied = true;          // the output matrix is the table of the target's tokens
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
struct Transformer {
  TokenEmbedding source, target;
  EncoderStack encoder;
  DecoderStack decoder;
  std::optional<Linear> output;  // none if it is tied

  // `attention` is for encoder and decoder. The decoder looks at the encoder by `cross`, or by the scaled dot product.
  Transformer(const AttentionMaker& attention, const TransformerOptions& options, Generator& generator);
  Transformer(const AttentionMaker& attention, const AttentionMaker& cross, const TransformerOptions& options,
              Generator& generator);
  void visit(Visitor& v);

  std::int64_t vocabulary() const { return target.tokens.weight.size(0); }
  std::int64_t longest() const { return target.longest; }

  // tokens (B, Ls), i64; the mask says what is padding, or `begins` of the call if it is on the left.
  Encoded encode(const Tensor& tokens, const Mask& mask = {}, const StackCall& call = {});

  Variable decode(const Tensor& tokens, const Encoded& from, const DecoderCall& call = {}) {
    return predict(tokens, from, call).logits;
  }
  // tokens (B, Lt), i64. With weights: those of each layer, own and cross.
  ModelOutput predict(const Tensor& tokens, const Encoded& from, const DecoderCall& call = {});
};

}  // namespace regard::nn
