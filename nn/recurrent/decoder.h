#pragma once

#include "nn/attention/any_score.h"
#include "nn/attention/mask.h"
#include "nn/recurrent/cells.h"

namespace regard::nn {

// What an encoder made of its sequences: a state for each position, a summary of all, and which positions may be looked
// at, the same for every step of the decoder.
struct EncodedStates {
  Variable states = {};   // (B, Lk, M)
  Variable summary = {};  // (B, M); attention needs none
  Mask mask = {};         // of keys, such as valid_lengths
};

struct DecoderOptions {
  std::int64_t in, hidden, memory;  // E: what is read in a step; H; M: what is known of the source
  std::int64_t layers = 1;
  DType dtype = DType::f32;
};

struct DecoderStep {
  Variable h;        // the state after the step
  Variable context;  // what the step saw of the source, (B, M)
  Variable weights;  // how much of each position, (B, Lk); undefined without attention
};

struct DecoderOutput {
  Variable states, contexts, weights;  // of all steps: of the last layer (B, Lq, H), (B, Lq, M), (B, Lq, Lk)
};

// What writes a sequence step by step, with a context of the source in each step: AttentionDecoder or SummaryDecoder.
// It has a cell for each layer. The first reads [x; context], each other the state of the layer below:
//   h¹ₜ = GRU([xₜ; contextₜ], h¹ₜ₋₁)        hⁿₜ = GRU(hⁿ⁻¹ₜ, hⁿₜ₋₁)
// A state is (B, H); of several layers (layers, B, H), and the last layer's is the one that others see.
struct RecurrentDecoder {
  std::optional<AnyScore> score;  // none: the context is the summary
  GRUCell cell;                   // reads (E + M)
  std::vector<GRUCell> others;    // of the layers above it, from below

  RecurrentDecoder(std::optional<AnyScore> score, ResetGate reset, const DecoderOptions& options, Generator& generator);
  void visit(Visitor& v);

  // What can be said of the source once for all steps.
  struct Memory {
    Variable context;         // without attention: the summary, (B, M)
    Variable states = {};     // keys and values, (B, Lk, M); 0 where nothing may be looked at
    Tensor keep = {};         // 1 where something may, else 0: (B, 1, Lk)
    Variable bias = {};       // what is added to the scores, if anything
    Variable projected = {};  // what an AdditiveScore makes of the keys, (B, Lk, hidden)

    Memory of(const Tensor& sequences) const;  // of those with these numbers (i64), in this order
  };
  Memory remember(const EncodedStates& source) const;

  // x (B, E). `position`: the number of the step, for scores that ask where the query stands.
  DecoderStep step(const Variable& x, const Variable& h, const Memory& memory, std::int64_t position = 0) const;

  // x (B, Lq, E): all steps, each with what it should read (teacher forcing). h: the state before the first.
  DecoderOutput operator()(const Variable& x, const Variable& h, const Memory& memory) const;

  std::int64_t layers() const { return std::ssize(others) + 1; }
  Variable top(const Variable& h) const;  // the state of the last layer

 private:
  struct Steps {
    DecoderOutput made;
    Variable h;  // the state after the last
  };
  Steps steps(const Variable& x, const Variable& h, const Memory& memory, std::int64_t position) const;
  Steps steps_with(const Variable& summary, const Variable& x, const Variable& h) const;
  AttentionOutput look(const Variable& h, const Memory& memory, std::int64_t position) const;
  Variable next(const Variable& read, const Variable& h) const;  // [x; context] and a state → the state after it
  void require(const Variable& x, const Variable& h, int rank, const Memory& memory) const;
  void tell(const DecoderOutput& made, const Variable& h, const Memory& memory, std::int64_t position) const;
};

// A decoder that looks at the source again in each step (Bahdanau, Cho, Bengio 2014). Its state before the step is the
// query; keys and values are all states of the encoder; the context that it gets joins what it reads:
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
struct AttentionDecoder : RecurrentDecoder {
  AttentionDecoder(AnyScore with_score, ResetGate reset, const DecoderOptions& options, Generator& generator)
      : RecurrentDecoder(std::move(with_score), reset, options, generator) {}
};

// A decoder without attention: in each step it sees the same summary of the source, however long that was.
//   hₜ = GRU([xₜ; summary], hₜ₋₁)
struct SummaryDecoder : RecurrentDecoder {
  SummaryDecoder(ResetGate reset, const DecoderOptions& options, Generator& generator)
      : RecurrentDecoder({}, reset, options, generator) {}
};

}  // namespace regard::nn
