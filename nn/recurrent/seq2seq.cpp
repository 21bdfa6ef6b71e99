#include "nn/recurrent/seq2seq.h"

namespace regard::nn {

Seq2SeqEncoder::Seq2SeqEncoder(ResetGate reset, const Seq2SeqOptions& o, Generator& g, std::int64_t decoder_layers)
    : embedding({.count = o.source_count, .size = o.embedding, .dtype = o.dtype}, g),
      gru(reset,
          {.in = o.embedding,
           .hidden = o.hidden,
           .layers = o.layers,
           .bidirectional = true,
           .dropout = o.layers > 1 ? o.dropout : 0,
           .dtype = o.dtype},
          g),
      bridge({.in = 2 * o.hidden, .out = decoder_layers * o.hidden, .dtype = o.dtype}, g) {}

ReadSource Seq2SeqEncoder::operator()(const Tensor& tokens, const Tensor& lengths, Dropout& dropout) {
  if (tokens.rank() != 2) fail<ShapeError>("Seq2Seq: source {}: needs (B, Lk)", tokens.shape());
  const auto [states, h] = gru(dropout(embedding(tokens)), {.lengths = lengths});
  const Variable summary = cat({select(h, 0, -2), select(h, 0, -1)}, -1);  // of the last layer
  const Mask mask = lengths.defined() ? Mask::valid_lengths(lengths) : Mask();
  Variable start = tanh(bridge(summary));
  const std::int64_t hidden = summary.size(1) / 2, decoder_layers = start.size(1) / hidden;
  if (decoder_layers > 1) start = transpose(reshape(start, {start.size(0), decoder_layers, hidden}), 0, 1);
  return {{states, summary, mask}, start};
}

void require_decoder_fits(const GRUCell& cell, const Seq2SeqOptions& o) {
  const std::int64_t in = cell.weights.weight_ih.size(1), hidden = cell.weights.hidden();
  if (hidden != o.hidden || in != o.embedding + 2 * o.hidden)
    fail<ShapeError>(
        "Seq2Seq: a decoder with {} states that reads {} numbers: for an embedding of {} and hidden = {} it must have "
        "{}, and read {} (.in = embedding, .memory = 2·hidden)",
        hidden, in, o.embedding, o.hidden, o.hidden, o.embedding + 2 * o.hidden);
}

}  // namespace regard::nn
