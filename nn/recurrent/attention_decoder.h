#pragma once

#include "nn/attention/any_score.h"
#include "nn/recurrent/decoder.h"

namespace regard::nn {

// A decoder that looks at the source again in each step (Bahdanau, Cho, Bengio 2014). Before it reads, it asks with the
// state that it is in; keys and values are all states of the encoder; what it finds joins what it reads:
//
//   weightsₜ = softmax score(hₜ₋₁, states)        contextₜ = weightsₜ·states        hₜ = GRU([xₜ; contextₜ], hₜ₋₁)
//
// The query is the state before the step, of the last layer if there are several, so there is one context for each
// step, and what a step sees does not depend on what it reads. The score is any of the library's; Bahdanau's is
// AdditiveScore.
//
//   AttentionDecoder decoder(AdditiveScore({.query_size = H, .key_size = M, .hidden = H}, generator),
//                            ResetGate::after_product, {.in = E, .hidden = H, .memory = M}, generator);
//   const auto memory = decoder.remember({.states = encoder_states, .mask = Mask::valid_lengths(lengths)});
//   auto [states, contexts, weights] = decoder(x, h, memory);         // all steps, when all of x is known
//   auto [after, context, seen] = decoder.step(x_t, h, memory, t);    // one step: the same, bit for bit
struct AttentionDecoder : DecoderCells {
  AnyScore score;

  AttentionDecoder(AnyScore with_score, ResetGate reset, const DecoderOptions& options, Generator& generator)
      : DecoderCells("AttentionDecoder", reset, options, generator), score(std::move(with_score)) {}
  void visit(Visitor& v);

  // What can be said of the source once for all steps.
  struct Memory {
    Variable states;          // keys and values, (B, Lk, M); 0 where nothing may be looked at
    Tensor keep;              // 1 where something may, else 0: (B, 1, Lk)
    Variable bias = {};       // what is added to the scores, if anything
    Variable projected = {};  // what an AdditiveScore makes of the keys, (B, Lk, hidden)

    Memory of(const Tensor& sequences) const;  // of those with these numbers (i64), in this order
  };
  Memory remember(const EncodedStates& source) const;

  // x (B, E), h as DecoderCells has it. `position`: the number of the step, for scores that ask where the query stands.
  DecoderStep step(const Variable& x, const Variable& h, const Memory& memory, std::int64_t position = 0) const;

  // x (B, Lq, E): all steps, each with what it should read (teacher forcing). h: the state before the first.
  DecoderOutput operator()(const Variable& x, const Variable& h, const Memory& memory) const;

 private:
  struct Steps {
    DecoderOutput made;
    Variable h;  // the state after the last
  };
  Steps steps(const Variable& x, const Variable& h, const Memory& memory, std::int64_t position) const;
  AttentionOutput look(const Variable& h, const Memory& memory, std::int64_t position) const;
  void tell(const DecoderOutput& made, const Variable& h, const Memory& memory, std::int64_t position) const;
};

}  // namespace regard::nn
