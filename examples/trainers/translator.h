#pragma once

#include "examples/trainers/languages.h"
#include "nn/decoding/beam.h"
#include "nn/optim/adam.h"
#include "nn/text/length_batches.h"
#include "nn/transformer/transformer.h"

namespace regard {

struct TranslatorOptions {
  std::int64_t longest;                 // no translation has more tokens
  std::int64_t width = 128, heads = 4;  // E, H
  std::int64_t layers = 2;              // of the encoder, and of the decoder
  double dropout = 0, label_smoothing = 0;
};

// Where each head of the decoder looked in the source while it wrote a token.
struct Looks {
  Tensor weights;                   // (layers, H, source, target): a column for each token that was written
  std::vector<std::string> source;  // the tokens
  std::vector<std::string> target;  // and an end behind them
};

// The Transformer of "Attention is all you need", small and with norms before its parts, between two languages.
struct Translator {
  Language source, target;
  TranslatorOptions options;
  nn::Transformer model;
  optim::Adam optimizer;

  Translator(Language from, Language to, const TranslatorOptions& o, Generator& generator);

  // One step on pairs of texts, whose right translations are given up to the token that is to be said. Returns the loss
  // of a token in nats.
  double learn(const std::array<nn::PaddedTokens, 2>& pairs, double rate);

  // Free-running: the likeliest token is taken at each step and read in the next. Some hundred texts go side by side.
  std::vector<std::string> translate(const std::vector<std::string>& texts) const;

  // The likeliest translations that a beam finds, the best first.
  std::vector<nn::Hypothesis> candidates(const std::string& text, std::int64_t beam) const;

  Looks looks(const std::string& text, const std::string& translation) const;

 private:
  nn::Writer writer_of(const std::vector<nn::Tokens>& texts) const;
};

}  // namespace regard
