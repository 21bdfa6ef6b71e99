#include "nn/recurrent/attention_decoder.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/recurrent/additive_decoder.h"
#include "nn/attention/scores/additive.h"
#include "nn/attention/watch.h"
#include "tensor/ops/index.h"

namespace regard::nn {
namespace {

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

void AttentionDecoder::visit(Visitor& v) {
  v.here(this);
  if (score.is_module()) v("score", score);
  DecoderCells::visit(v);
}

// All steps look at the same keys. So a key is seen by each of them or by none, and what is masked is replaced here: it
// meets no step, and its NaN no gradient.
AttentionDecoder::Memory AttentionDecoder::remember(const EncodedStates& source) const {
  const Variable& states = source.states;
  require_defined("AttentionDecoder", states, "states");
  if (states.rank() != 3)
    fail<ShapeError>("AttentionDecoder: states of the encoder {}: needs (B, Lk, M)", states.shape());
  const Shape scores{states.size(0), 1, states.size(1)};
  const ResolvedMask mask = source.mask.resolve(scores, states.dtype());
  const Variable real = pairs::without_unseen_keys(states, mask.seen);
  Memory memory{real, expand(visible_table(mask.visible, scores, states.dtype()), scores), mask.bias};
  if (is_additive(score)) memory.projected = score.as<AdditiveScore>().w_k(real);
  return memory;
}

AttentionDecoder::Memory AttentionDecoder::Memory::of(const Tensor& sequences) const {
  const auto chosen = [&](const Variable& x) { return x.defined() ? index_select(x, 0, sequences) : x; };
  const Variable all_biases = bias.defined() ? expand(bias, keep.shape()) : bias;
  return {chosen(states), index_select(keep, 0, sequences), chosen(all_biases), chosen(projected)};
}

// book: look
AttentionOutput AttentionDecoder::look(const Variable& h, const Memory& memory, std::int64_t position) const {
  const Variable query = unsqueeze(h, 1);
  Variable scores = is_additive(score) ? additive_scores(score.as<AdditiveScore>(), query, memory.projected)
                                       : score(query, memory.states, position);
  if (memory.bias.defined()) scores = scores + memory.bias;
  const Variable weights = score.normalize(scores, memory.keep);
  return {squeeze(matmul(weights, memory.states), 1), squeeze(weights, 1)};
}
// book: /look

// A step is a sequence of one: so all at once is one after another, bit for bit.
DecoderStep AttentionDecoder::step(const Variable& x, const Variable& h, const Memory& memory,
                                   std::int64_t position) const {
  require("AttentionDecoder", x, h, 2, memory.states.size(2));
  const auto [made, after] = steps(unsqueeze(x, 1), h, memory, position);
  tell(made, h, memory, position);
  return {after, squeeze(made.contexts, 1), squeeze(made.weights, 1)};
}

DecoderOutput AttentionDecoder::operator()(const Variable& x, const Variable& h, const Memory& memory) const {
  require("AttentionDecoder", x, h, 3, memory.states.size(2));
  if (x.size(1) == 0) fail<ShapeError>("AttentionDecoder: x {}: there is no step to take", x.shape());
  const DecoderOutput made = steps(x, h, memory, 0).made;
  tell(made, h, memory, 0);
  return made;
}

AttentionDecoder::Steps AttentionDecoder::steps(const Variable& x, const Variable& h, const Memory& memory,
                                                std::int64_t position) const {
  if (is_additive(score) && others.empty() && !memory.bias.defined()) {
    const DecoderOutput made = additive_steps(score.as<AdditiveScore>(), cell, x, h,
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

// What asks in a step is the state before it. Of weights it tells the numbers alone: the contexts are made of the
// weights of each step, not of all of them in one, so a gradient that flows to these is not that of the loss.
void AttentionDecoder::tell(const DecoderOutput& made, const Variable& h, const Memory& memory,
                            std::int64_t position) const {
  if (!is_watched()) return;
  const NoGrad no_grad;
  const Variable asking = cat({unsqueeze(top(h), 1), slice(made.states, 1, 0, made.states.size(1) - 1)}, 1);
  const ResolvedMask mask{.bias = memory.bias};
  tell_watches({.module = this,
                .score = &score,
                .q = asking,
                .k = memory.states,
                .v = memory.states,
                .mask = &mask,
                .offset = position,
                .made = {detach(made.contexts), detach(made.weights)},
                .cross = true});
}

}  // namespace regard::nn
