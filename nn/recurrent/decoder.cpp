#include "nn/recurrent/decoder.h"

#include "nn/layers/require.h"

namespace regard::nn {
namespace {

const DecoderOptions& valid(const char* decoder, const DecoderOptions& o) {
  require_positive(decoder, {{"in", o.in}, {"hidden", o.hidden}, {"memory", o.memory}});
  return o;
}

}  // namespace

GRUCell decoder_cell(const char* decoder, ResetGate reset, const DecoderOptions& o, Generator& g) {
  valid(decoder, o);
  return GRUCell(reset, {.in = o.in + o.memory, .hidden = o.hidden, .dtype = o.dtype}, g);
}

void require_decoder(const char* decoder, const GRUCell& cell, const Variable& x, const Variable& h, int rank,
                     std::int64_t memory) {
  require_features(decoder, x, cell.weights.weight_ih.size(1) - memory);
  require_defined(decoder, h, "state");
  if (x.rank() != rank)
    fail<ShapeError>("{}: x {}: needs {}", decoder, x.shape(), rank == 2 ? "(B, E) for a step" : "(B, Lq, E)");
  const Shape state{x.size(0), cell.weights.hidden()};
  if (h.shape() != state)
    fail<ShapeError>("{}: a state {} for x {}: needs (B, H), {}", decoder, h.shape(), x.shape(), state);
}

SummaryDecoder::SummaryDecoder(ResetGate reset, const DecoderOptions& o, Generator& g)
    : cell(decoder_cell("SummaryDecoder", reset, o, g)) {}

DecoderStep SummaryDecoder::step(const Variable& x, const Variable& h, const Memory& memory, std::int64_t) const {
  require_decoder("SummaryDecoder", cell, x, h, 2, memory.summary.size(1));
  return {cell(cat({x, memory.summary}, -1), h), memory.summary, {}};
}

DecoderOutput SummaryDecoder::operator()(const Variable& x, const Variable& h, const Memory& memory) const {
  require_decoder("SummaryDecoder", cell, x, h, 3, memory.summary.size(1));
  const Variable contexts = expand(unsqueeze(memory.summary, 1), {x.size(0), x.size(1), memory.summary.size(1)});
  const Variable all = transpose(cat({x, contexts}, -1), 0, 1);  // time first
  return {transpose(cell.run(all, {h}, {}).output, 0, 1), contexts, {}};
}

}  // namespace regard::nn
