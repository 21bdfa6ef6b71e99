#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/recurrent/additive_decoder.h"
#include "nn/attention/scores/additive.h"
#include "nn/attention/watch.h"
#include "nn/recurrent/decoder.h"

namespace regard::nn {

// All steps of the decoder below with Bahdanau's score, as one operation. x (B, Lq, E).
DecoderOutput additive_steps(const AdditiveScore& score, const GRUCell& cell, const Variable& x, const Variable& h,
                             const AdditiveMemory& memory);

// A decoder that looks at the source again in each step (Bahdanau, Cho, Bengio 2014). Before it reads, it asks with the
// state that it is in; keys and values are all states of the encoder; what it finds joins what it reads:
//
//   weightsₜ = softmax score(hₜ₋₁, states)        contextₜ = weightsₜ·states        hₜ = GRU([xₜ; contextₜ], hₜ₋₁)
//
// The query is the state before the step, so there is one context for each step, and what a step sees does not depend
// on what it reads. The score is any of the library's; Bahdanau's is AdditiveScore.
//
//   AttentionDecoder decoder(AdditiveScore({.query_size = H, .key_size = M, .hidden = H}, generator),
//                            ResetGate::after_product, {.in = E, .hidden = H, .memory = M}, generator);
//   const auto memory = decoder.remember({.states = encoder_states, .mask = Mask::valid_lengths(lengths)});
//   auto [states, contexts, weights] = decoder(x, h, memory);         // all steps, when all of x is known
//   auto [after, context, seen] = decoder.step(x_t, h, memory, t);    // one step: the same, bit for bit
template <AnyScore S>
struct AttentionDecoder {
  S score;
  GRUCell cell;  // reads (E + M)

  AttentionDecoder(S with_score, ResetGate reset, const DecoderOptions& options, Generator& generator)
      : score(std::move(with_score)), cell(decoder_cell("AttentionDecoder", reset, options, generator)) {}

  void visit(Visitor& v) {
    if constexpr (Module<S>) v("score", score);
    v("cell", cell);
  }

  // What can be said of the source once for all steps. A score that begins with a projection of the keys makes it here.
  struct Memory {
    Variable keys, values;  // (B, Lk, …), (B, Lk, M); 0 where nothing may be looked at
    Tensor keep;            // 1 where something may, else 0: (B, 1, Lk)
    Variable bias = {};     // what is added to the scores, if anything
  };
  Memory remember(const EncodedStates& source) const;

  // x (B, E), h (B, H). `position`: the number of the step, for scores that ask where the query stands.
  DecoderStep step(const Variable& x, const Variable& h, const Memory& memory, std::int64_t position = 0) const;

  // x (B, Lq, E): all steps, each with what it should read (teacher forcing). h: the state before the first.
  DecoderOutput operator()(const Variable& x, const Variable& h, const Memory& memory) const;

 private:
  DecoderOutput one_after_another(const Variable& x, const Variable& h, const Memory& memory,
                                  std::int64_t position) const;
  AttentionOutput look(const Variable& h, const Memory& memory, std::int64_t position) const;
  void tell(AttentionWatch& watch, const DecoderOutput& made, const Variable& h, const Memory& memory,
            std::int64_t position) const;
};

// All steps look at the same keys. So a key is seen by each of them or by none, and what is masked is replaced here: it
// meets no step, and its NaN no gradient.
template <AnyScore S>
auto AttentionDecoder<S>::remember(const EncodedStates& source) const -> Memory {
  const Variable& states = source.states;
  require_defined("AttentionDecoder", states, "states");
  if (states.rank() != 3)
    fail<ShapeError>("AttentionDecoder: states of the encoder {}: needs (B, Lk, M)", states.shape());
  const Shape scores{states.size(0), 1, states.size(1)};
  const ResolvedMask mask = source.mask.resolve(scores, states.dtype());
  const Variable real = pairs::without_unseen_keys(states, mask.seen);
  const Tensor keep = expand(visible_table(mask.visible, scores, states.dtype()), scores);
  if constexpr (PreparingScore<S>)
    return {score.prepare(real), real, keep, mask.bias};
  else
    return {real, real, keep, mask.bias};
}

// book: look
template <AnyScore S>
AttentionOutput AttentionDecoder<S>::look(const Variable& h, const Memory& memory, std::int64_t position) const {
  const Variable q = unsqueeze(h, 1);  // one query
  Variable scores;
  if constexpr (PreparingScore<S>)
    scores = score.compare(q, memory.keys);
  else
    scores = evaluate(score, q, memory.keys, position);
  if (memory.bias.defined()) scores = scores + memory.bias;
  const Variable weights = normalize(score, scores, memory.keep);
  return {squeeze(matmul(weights, memory.values), 1), squeeze(weights, 1)};
}
// book: /look

// A step is a sequence of one: so all at once is one after another, bit for bit.
template <AnyScore S>
DecoderStep AttentionDecoder<S>::step(const Variable& x, const Variable& h, const Memory& memory,
                                      std::int64_t position) const {
  require_decoder("AttentionDecoder", cell, x, h, 2, memory.values.size(2));
  const DecoderOutput made = one_after_another(unsqueeze(x, 1), h, memory, position);
  for (AttentionWatch* watch = attention_watch(); watch; watch = attention_watch(watch->older()))
    tell(*watch, made, h, memory, position);
  return {squeeze(made.states, 1), squeeze(made.contexts, 1), squeeze(made.weights, 1)};
}

template <AnyScore S>
DecoderOutput AttentionDecoder<S>::operator()(const Variable& x, const Variable& h, const Memory& memory) const {
  require_decoder("AttentionDecoder", cell, x, h, 3, memory.values.size(2));
  if (x.size(1) == 0) fail<ShapeError>("AttentionDecoder: x {}: there is no step to take", x.shape());
  const DecoderOutput made = one_after_another(x, h, memory, 0);
  for (AttentionWatch* watch = attention_watch(); watch; watch = attention_watch(watch->older()))
    tell(*watch, made, h, memory, 0);
  return made;
}

// For Bahdanau's score all steps are one operation.
template <AnyScore S>
DecoderOutput AttentionDecoder<S>::one_after_another(const Variable& x, const Variable& h, const Memory& memory,
                                                     std::int64_t position) const {
  if constexpr (std::same_as<S, AdditiveScore>)
    if (!memory.bias.defined())
      return additive_steps(score, cell, x, h, {memory.keys, memory.values, squeeze(memory.keep, 1)});
  // book: steps
  std::vector<Variable> states, contexts, weights;
  Variable now = h;
  for (std::int64_t t = 0; t < x.size(1); ++t) {
    const auto [context, shares] = look(now, memory, position + t);
    now = cell(cat({select(x, 1, t), context}, -1), now);
    states.push_back(now);
    contexts.push_back(context);
    weights.push_back(shares);
  }
  return {stack(states, 1), stack(contexts, 1), stack(weights, 1)};
  // book: /steps
}

// What asks in a step is the state before it. Of weights it tells the numbers alone: the contexts are made of the
// weights of each step, not of all of them in one, so a gradient that flows to these is not that of the loss.
template <AnyScore S>
void AttentionDecoder<S>::tell(AttentionWatch& watch, const DecoderOutput& made, const Variable& h,
                               const Memory& memory, std::int64_t position) const {
  const NoGrad no_grad;
  const Variable asking = cat({unsqueeze(h, 1), slice(made.states, 1, 0, made.states.size(1) - 1)}, 1);
  Sight sight{.module = this,
              .bytes = sizeof(*this),
              .output = detach(made.contexts),
              .weights = detach(made.weights),
              .v = memory.values.value(),
              .offset = position,
              .cross = true};
  if constexpr (std::same_as<S, AdditiveScore>)
    if (!memory.bias.defined()) sight.formula = score.formula_of_prepared(asking, memory.keys);
  if constexpr (!PreparingScore<S>)
    if (!memory.bias.defined() && !Normalizing<S>) sight.formula = formula_of(score, asking, memory.keys, {});
  watch.saw(sight);
}

}  // namespace regard::nn
