#pragma once

#include "nn/layers/dropout.h"
#include "nn/layers/embedding.h"
#include "nn/layers/linear.h"
#include "nn/recurrent/decoder.h"
#include "nn/recurrent/gru.h"

namespace regard::nn {

struct Seq2SeqOptions {
  std::int64_t source_count, target_count;  // how many tokens each vocabulary has
  std::int64_t embedding, hidden;           // E, H
  std::int64_t layers = 1;                  // of the encoder; those of the decoder are its own
  double dropout = 0;  // of embeddings, between layers of the encoder, and of what the output layer sees
  DType dtype = DType::f32;
};

// The source as the encoder reads it, in both directions, and where the decoder begins.
struct ReadSource {
  EncodedStates encoded;  // M = 2H
  Variable start;         // a state of the decoder
};

// What Seq2Seq has before its decoder: the source's tokens, read in both directions.
struct Seq2SeqEncoder {
  Embedding embedding;
  GRU gru;
  Linear bridge;  // from what both directions end with to the state that the decoder begins with, of all its layers

  Seq2SeqEncoder(ResetGate reset, const Seq2SeqOptions& options, Generator& generator, std::int64_t decoder_layers = 1);
  void visit(Visitor& v) {
    v("embedding", embedding);
    v("gru", gru);
    v("bridge", bridge);
  }
  ReadSource operator()(const Tensor& tokens, const Tensor& lengths, Dropout& dropout);
};

// From a sequence of tokens to another of any length: an encoder reads the source, and a decoder writes the target, a
// token at a time, each time knowing what it wrote before.
//
//   source states, summary = GRU in both directions of the source's embeddings
//   h₀ = tanh(bridge(summary))        hₜ, contextₜ = decoder(embedding of yₜ₋₁, hₜ₋₁)
//   p(yₜ) = softmax(output([hₜ; contextₜ]))
//
// The decoder looks at all source states (AttentionDecoder), or at the summary alone (SummaryDecoder):
//
//   AttentionDecoder decoder(AdditiveScore({.query_size = H, .key_size = 2 * H, .hidden = H}, generator),
//                            ResetGate::after_product, {.in = E, .hidden = H, .memory = 2 * H}, generator);
//   Seq2Seq model(decoder, {.source_count = 27, .target_count = 41, .embedding = E, .hidden = H}, generator);
//   auto [logits, weights] = model(source, source_lengths, target);
struct Seq2Seq {
  Seq2SeqEncoder encoder;
  Embedding embedding;  // of the target
  RecurrentDecoder decoder;
  Linear output;
  Dropout dropout;

  Seq2Seq(RecurrentDecoder decoder, const Seq2SeqOptions& options, Generator& generator);
  void visit(Visitor& v);

  std::int64_t vocabulary() const { return output.weight.size(0); }

  // What training needs. source (B, Lk) and target (B, Lq), i64: the target as it is read, one step behind what is to
  // be written; lengths (B) of the sources, or undefined. Padding of the target is left to the loss.
  struct Output {
    Variable logits;   // (B, Lq, target_count)
    Variable weights;  // (B, Lq, Lk); undefined without attention
  };
  Output operator()(const Tensor& source, const Tensor& lengths, const Tensor& target);

  // What writing needs: one step after another, from the token written last. (generate and beam_search do it with a
  // writer(model, source): nn/decoding/writer.h.)
  struct State {
    RecurrentDecoder::Memory memory;
    Variable h;
    std::int64_t position = 0;

    std::int64_t sequences() const { return h.size(-2); }
    State of(const Tensor& sequences) const;  // of those with these numbers (i64), in this order
  };
  State start(const Tensor& source, const Tensor& lengths);
  Output step(const Tensor& last, State& state);  // last (B) → logits (B, target_count), weights (B, Lk)
};

}  // namespace regard::nn
