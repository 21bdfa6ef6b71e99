#include "nn/recurrent/seq2seq.h"

#include "autograd/ops/index.h"
#include "autograd/ops/join.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"

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

Seq2Seq::Seq2Seq(RecurrentDecoder with_decoder, const Seq2SeqOptions& o, Generator& g)
    : encoder(with_decoder.cell.reset, o, g, with_decoder.layers()),
      embedding({.count = o.target_count, .size = o.embedding, .dtype = o.dtype}, g),
      decoder(std::move(with_decoder)),
      output({.in = 3 * o.hidden, .out = o.target_count, .dtype = o.dtype}, g),
      dropout(o.dropout, g) {
  const std::int64_t in = decoder.cell.weights.weight_ih.size(1), hidden = decoder.cell.weights.hidden();
  if (hidden != o.hidden || in != o.embedding + 2 * o.hidden)
    fail<ShapeError>(
        "Seq2Seq: a decoder with {} states that reads {} numbers: for an embedding of {} and hidden = {} it must have "
        "{}, and read {} (.in = embedding, .memory = 2·hidden)",
        hidden, in, o.embedding, o.hidden, o.hidden, o.embedding + 2 * o.hidden);
}

void Seq2Seq::visit(Visitor& v) {
  v("encoder", encoder);
  v("embedding", embedding);
  v("decoder", decoder);
  v("output", output);
  v("dropout", dropout);
}

Seq2Seq::Output Seq2Seq::operator()(const Tensor& source, const Tensor& lengths, const Tensor& target) {
  const ReadSource read = encoder(source, lengths, dropout);
  const auto [states, contexts, weights] =
      decoder(dropout(embedding(target)), read.start, decoder.remember(read.encoded));
  return {output(dropout(cat({states, contexts}, -1))), weights};
}

Seq2Seq::State Seq2Seq::State::of(const Tensor& sequences) const {
  return {memory.of(sequences), index_select(h, -2, sequences), position};
}

Seq2Seq::State Seq2Seq::start(const Tensor& source, const Tensor& lengths) {
  const ReadSource read = encoder(source, lengths, dropout);
  return {decoder.remember(read.encoded), read.start};
}

Seq2Seq::Output Seq2Seq::step(const Tensor& last, State& state) {
  const auto [h, context, weights] = decoder.step(dropout(embedding(last)), state.h, state.memory, state.position);
  state.h = h;
  ++state.position;
  return {output(dropout(cat({decoder.top(h), context}, -1))), weights};
}

}  // namespace regard::nn
