#pragma once

#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
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
  DType dtype = DType::f32;
};

struct DecoderStep {
  Variable h;        // the state after the step, (B, H)
  Variable context;  // what the step saw of the source, (B, M)
  Variable weights;  // how much of each position, (B, Lk); undefined without attention
};

struct DecoderOutput {
  Variable states, contexts, weights;  // of all steps: (B, Lq, H), (B, Lq, M), (B, Lq, Lk)
};

// A decoder without attention: in each step it sees the same summary of the source, however long that was.
//   hₜ = GRU([xₜ; summary], hₜ₋₁)
//
// It is called as AttentionDecoder is.
struct SummaryDecoder {
  GRUCell cell;  // reads (E + M)

  SummaryDecoder(ResetGate reset, const DecoderOptions& options, Generator& generator);
  void visit(Visitor& v) { v("cell", cell); }

  struct Memory {
    Variable summary;
  };
  Memory remember(const EncodedStates& source) const { return {source.summary}; }
  DecoderStep step(const Variable& x, const Variable& h, const Memory& memory, std::int64_t position = 0) const;
  DecoderOutput operator()(const Variable& x, const Variable& h, const Memory& memory) const;
};

// What decoders share: a cell that reads [x; context], and the check that x is (B, Lq, E), or (B, E) for a step, and
// the state (B, H).
GRUCell decoder_cell(const char* decoder, ResetGate reset, const DecoderOptions& options, Generator& generator);
void require_decoder(const char* decoder, const GRUCell& cell, const Variable& x, const Variable& h, int rank,
                     std::int64_t memory);

}  // namespace regard::nn
