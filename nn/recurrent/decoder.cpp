#include "nn/recurrent/decoder.h"

#include "nn/layers/require.h"

namespace regard::nn {
namespace {

const DecoderOptions& valid(const char* decoder, const DecoderOptions& o) {
  require_positive(decoder, {{"in", o.in}, {"hidden", o.hidden}, {"memory", o.memory}, {"layers", o.layers}});
  return o;
}

}  // namespace

DecoderCells::DecoderCells(const char* decoder, ResetGate reset, const DecoderOptions& o, Generator& g)
    : cell(reset, {.in = valid(decoder, o).in + o.memory, .hidden = o.hidden, .dtype = o.dtype}, g) {
  for (std::int64_t i = 1; i < o.layers; ++i)
    others.push_back(GRUCell(reset, {.in = o.hidden, .hidden = o.hidden, .dtype = o.dtype}, g));
}

Variable DecoderCells::next(const Variable& read, const Variable& h) const {
  if (others.empty()) return cell(read, h);
  std::vector<Variable> now{cell(read, select(h, 0, 0))};
  for (const GRUCell& other : others) now.push_back(other(now.back(), select(h, 0, std::ssize(now))));
  return stack(now, 0);
}

void DecoderCells::require(const char* decoder, const Variable& x, const Variable& h, int rank,
                           std::int64_t memory) const {
  require_features(decoder, x, cell.weights.weight_ih.size(1) - memory);
  require_defined(decoder, h, "state");
  if (x.rank() != rank)
    fail<ShapeError>("{}: x {}: needs {}", decoder, x.shape(), rank == 2 ? "(B, E) for a step" : "(B, Lq, E)");
  Shape state{x.size(0), cell.weights.hidden()};
  if (!others.empty()) state.insert(0, layers());
  if (h.shape() != state)
    fail<ShapeError>("{}: a state {} for x {}: needs {}, {}", decoder, h.shape(), x.shape(),
                     others.empty() ? "(B, H)" : "(layers, B, H)", state);
}

DecoderStep SummaryDecoder::step(const Variable& x, const Variable& h, const Memory& memory, std::int64_t) const {
  require("SummaryDecoder", x, h, 2, memory.summary.size(1));
  return {next(cat({x, memory.summary}, -1), h), memory.summary, {}};
}

DecoderOutput SummaryDecoder::operator()(const Variable& x, const Variable& h, const Memory& memory) const {
  require("SummaryDecoder", x, h, 3, memory.summary.size(1));
  const Variable contexts = expand(unsqueeze(memory.summary, 1), {x.size(0), x.size(1), memory.summary.size(1)});
  const Variable all = transpose(cat({x, contexts}, -1), 0, 1);  // time first
  Variable states = cell.run(all, {others.empty() ? h : select(h, 0, 0)}, {}).output;
  for (std::size_t i = 0; i < others.size(); ++i)
    states = others[i].run(states, {select(h, 0, static_cast<std::int64_t>(i) + 1)}, {}).output;
  return {transpose(states, 0, 1), contexts, {}};
}

}  // namespace regard::nn
