#include "nn/recurrent/decoder.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"
#include "autograd/recurrent/additive_decoder.h"
#include "nn/attention/scores/additive.h"
#include "nn/attention/watch.h"
#include "nn/layers/require.h"
#include "tensor/ops/index.h"

namespace regard::nn {
namespace {

const char* name_of(const std::optional<AnyScore>& score) { return score ? "AttentionDecoder" : "SummaryDecoder"; }

const DecoderOptions& valid(const char* decoder, const DecoderOptions& o) {
  require_positive(decoder, {{"in", o.in}, {"hidden", o.hidden}, {"memory", o.memory}, {"layers", o.layers}});
  return o;
}

bool is_additive(const AnyScore& score) { return score.held_type() == typeid(AdditiveScore); }

Variable additive_scores(const AdditiveScore& score, const Variable& query, const Variable& projected_keys) {
  return score.compare(score.w_q(query), projected_keys);
}

// All steps with Bahdanau's score, as one operation. The cell's weight has columns for x and columns for the context.
// What x contributes is known beforehand, for all steps.
DecoderOutput additive_steps(const AdditiveScore& score, const GRUCell& cell, const Variable& x, const Variable& h,
                             const AdditiveMemory& memory) {
  const CellWeights& w = cell.weights;
  const std::int64_t in = x.size(2);
  const Variable projected = linear(transpose(x, 0, 1), slice(w.weight_ih, 1, 0, in), w.bias_ih);
  const auto [states, contexts, weights] = additive_decoder(projected, h, memory,
                                                            {.query = score.w_q.weight,
                                                             .score = flatten(score.w_v.weight),
                                                             .context = slice(w.weight_ih, 1, in),
                                                             .hidden = w.weight_hh,
                                                             .bias = w.hidden_bias()},
                                                            cell.reset);
  return {transpose(slice(states, 0, 1), 0, 1), transpose(contexts, 0, 1), transpose(weights, 0, 1)};
}

}  // namespace

RecurrentDecoder::RecurrentDecoder(std::optional<AnyScore> with_score, ResetGate reset, const DecoderOptions& o,
                                   Generator& g)
    : score(std::move(with_score)),
      cell(reset, {.in = valid(name_of(score), o).in + o.memory, .hidden = o.hidden, .dtype = o.dtype}, g) {
  for (std::int64_t i = 1; i < o.layers; ++i)
    others.push_back(GRUCell(reset, {.in = o.hidden, .hidden = o.hidden, .dtype = o.dtype}, g));
}

void RecurrentDecoder::visit(Visitor& v) {
  if (score) v.here(this);
  if (score && score->is_module()) v("score", *score);
  v("cell", cell);
  v("others", others);
}

// All steps look at the same keys. So a key is seen by each of them or by none, and what is masked is replaced here: it
// meets no step, and its NaN no gradient.
RecurrentDecoder::Memory RecurrentDecoder::remember(const EncodedStates& source) const {
  require_defined(name_of(score), score ? source.states : source.summary, score ? "states" : "summary");
  if (!score) return {source.summary};
  const Variable& states = source.states;
  if (states.rank() != 3)
    fail<ShapeError>("AttentionDecoder: states of the encoder {}: needs (B, Lk, M)", states.shape());
  const Shape scores{states.size(0), 1, states.size(1)};
  const ResolvedMask mask = source.mask.resolve(scores, states.dtype());
  const Variable real = pairs::without_unseen_keys(states, mask.seen);
  Memory memory{{}, real, expand(visible_table(mask.visible, scores, states.dtype()), scores), mask.bias};
  if (is_additive(*score)) memory.projected = score->as<AdditiveScore>().w_k(real);
  return memory;
}

RecurrentDecoder::Memory RecurrentDecoder::Memory::of(const Tensor& sequences) const {
  const auto chosen = [&](const auto& x) { return x.defined() ? index_select(x, 0, sequences) : x; };
  const Variable all_biases = bias.defined() ? expand(bias, keep.shape()) : bias;
  return {chosen(context), chosen(states), chosen(keep), chosen(all_biases), chosen(projected)};
}

Variable RecurrentDecoder::top(const Variable& h) const { return others.empty() ? h : select(h, 0, -1); }

Variable RecurrentDecoder::next(const Variable& read, const Variable& h) const {
  if (others.empty()) return cell(read, h);
  std::vector<Variable> now{cell(read, select(h, 0, 0))};
  for (const GRUCell& other : others) now.push_back(other(now.back(), select(h, 0, std::ssize(now))));
  return stack(now, 0);
}

// Throws unless x is (B, Lq, E), or (B, E) for a step, and h a state for it.
void RecurrentDecoder::require(const Variable& x, const Variable& h, int rank, const Memory& memory) const {
  const char* name = name_of(score);
  const Variable& known = score ? memory.states : memory.context;
  require_defined(name, known, score ? "memory.states" : "memory.context");
  require_features(name, x, cell.weights.weight_ih.size(1) - known.size(-1));
  require_defined(name, h, "state");
  if (x.rank() != rank)
    fail<ShapeError>("{}: x {}: needs {}", name, x.shape(), rank == 2 ? "(B, E) for a step" : "(B, Lq, E)");
  if (rank == 3 && x.size(1) == 0) fail<ShapeError>("{}: x {}: there is no step to take", name, x.shape());
  Shape state{x.size(0), cell.weights.hidden()};
  if (!others.empty()) state.insert(0, layers());
  if (h.shape() != state)
    fail<ShapeError>("{}: a state {} for x {}: needs {}, {}", name, h.shape(), x.shape(),
                     others.empty() ? "(B, H)" : "(layers, B, H)", state);
}

// book: look
AttentionOutput RecurrentDecoder::look(const Variable& h, const Memory& memory, std::int64_t position) const {
  const Variable query = unsqueeze(h, 1);
  Variable scores = is_additive(*score) ? additive_scores(score->as<AdditiveScore>(), query, memory.projected)
                                        : (*score)(query, memory.states, position);
  if (memory.bias.defined()) scores = scores + memory.bias;
  const Variable weights = score->normalize(scores, memory.keep);
  return {squeeze(matmul(weights, memory.states), 1), squeeze(weights, 1)};
}
// book: /look

// A step is a sequence of one: so all at once is one after another, bit for bit.
DecoderStep RecurrentDecoder::step(const Variable& x, const Variable& h, const Memory& memory,
                                   std::int64_t position) const {
  require(x, h, 2, memory);
  const auto [made, after] = steps(unsqueeze(x, 1), h, memory, position);
  tell(made, h, memory, position);
  return {after, squeeze(made.contexts, 1), made.weights.defined() ? squeeze(made.weights, 1) : Variable()};
}

DecoderOutput RecurrentDecoder::operator()(const Variable& x, const Variable& h, const Memory& memory) const {
  require(x, h, 3, memory);
  const DecoderOutput made = steps(x, h, memory, 0).made;
  tell(made, h, memory, 0);
  return made;
}

RecurrentDecoder::Steps RecurrentDecoder::steps(const Variable& x, const Variable& h, const Memory& memory,
                                                std::int64_t position) const {
  if (!score) return steps_with(memory.context, x, h);
  if (is_additive(*score) && others.empty() && !memory.bias.defined()) {
    const DecoderOutput made = additive_steps(score->as<AdditiveScore>(), cell, x, h,
                                              {memory.projected, memory.states, squeeze(memory.keep, 1)});
    return {made, select(made.states, 1, -1)};
  }
  std::vector<Variable> states, contexts, weights;
  Variable now = h;
  for (std::int64_t t = 0; t < x.size(1); ++t) {
    const auto [context, shares] = look(top(now), memory, position + t);
    now = next(cat({select(x, 1, t), context}, -1), now);
    states.push_back(top(now));
    contexts.push_back(context);
    weights.push_back(shares);
  }
  return {{stack(states, 1), stack(contexts, 1), stack(weights, 1)}, now};
}

// All that is read is known, so each layer goes through all steps at once.
RecurrentDecoder::Steps RecurrentDecoder::steps_with(const Variable& summary, const Variable& x,
                                                     const Variable& h) const {
  const Variable contexts = expand(unsqueeze(summary, 1), {x.size(0), x.size(1), summary.size(1)});
  CellRun run = cell.run(transpose(cat({x, contexts}, -1), 0, 1), {others.empty() ? h : select(h, 0, 0)}, {});
  std::vector<Variable> after = run.final;  // of each layer
  for (const GRUCell& other : others) {
    run = other.run(run.output, {select(h, 0, std::ssize(after))}, {});
    after.push_back(run.final[0]);
  }
  return {{transpose(run.output, 0, 1), contexts, {}}, others.empty() ? after[0] : stack(after, 0)};
}

// What asks in a step is the state before it. Of weights it tells the numbers alone: the contexts are made of the
// weights of each step, not of all of them in one, so a gradient that flows to these is not that of the loss.
void RecurrentDecoder::tell(const DecoderOutput& made, const Variable& h, const Memory& memory,
                            std::int64_t position) const {
  if (!score || !is_watched()) return;
  const NoGrad no_grad;
  const Variable asking = cat({unsqueeze(top(h), 1), slice(made.states, 1, 0, made.states.size(1) - 1)}, 1);
  const ResolvedMask mask{.bias = memory.bias};
  tell_watches({.module = this,
                .score = &*score,
                .q = asking,
                .k = memory.states,
                .v = memory.states,
                .mask = &mask,
                .offset = position,
                .made = {detach(made.contexts), detach(made.weights)},
                .cross = true});
}

}  // namespace regard::nn
