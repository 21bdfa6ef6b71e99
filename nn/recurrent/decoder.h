#pragma once

#include "autograd/ops/index.h"
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
  std::int64_t layers = 1;
  DType dtype = DType::f32;
};

// What decoders share: a cell for each layer. The first reads [x; context], each other the state of the layer below:
//   h¹ₜ = GRU([xₜ; contextₜ], h¹ₜ₋₁)        hⁿₜ = GRU(hⁿ⁻¹ₜ, hⁿₜ₋₁)
// A state is (B, H); of several layers (layers, B, H), and the last layer's is the one that others see.
struct DecoderCells {
  GRUCell cell;                 // reads (E + M)
  std::vector<GRUCell> others;  // of the layers above it, from below

  DecoderCells(const char* decoder, ResetGate reset, const DecoderOptions& options, Generator& generator);
  void visit(Visitor& v) {
    v("cell", cell);
    v("others", others);
  }

  std::int64_t layers() const { return std::ssize(others) + 1; }
  Variable next(const Variable& read, const Variable& h) const;  // [x; context] and a state → the state after it
  Variable top(const Variable& h) const { return others.empty() ? h : select(h, 0, -1); }

  // Throws unless x is (B, Lq, E), or (B, E) for a step, and h a state for it.
  void require(const char* decoder, const Variable& x, const Variable& h, int rank, std::int64_t memory) const;
};

struct DecoderStep {
  Variable h;        // the state after the step
  Variable context;  // what the step saw of the source, (B, M)
  Variable weights;  // how much of each position, (B, Lk); undefined without attention
};

struct DecoderOutput {
  Variable states, contexts, weights;  // of all steps: of the last layer (B, Lq, H), (B, Lq, M), (B, Lq, Lk)
};

// A decoder without attention: in each step it sees the same summary of the source, however long that was.
//   hₜ = GRU([xₜ; summary], hₜ₋₁)
//
// It is called as AttentionDecoder is.
struct SummaryDecoder : DecoderCells {
  SummaryDecoder(ResetGate reset, const DecoderOptions& options, Generator& generator)
      : DecoderCells("SummaryDecoder", reset, options, generator) {}

  struct Memory {
    Variable summary;  // (B, M)
    Memory of(const Tensor& sequences) const { return {index_select(summary, 0, sequences)}; }
  };
  Memory remember(const EncodedStates& source) const { return {source.summary}; }
  DecoderStep step(const Variable& x, const Variable& h, const Memory& memory, std::int64_t position = 0) const;
  DecoderOutput operator()(const Variable& x, const Variable& h, const Memory& memory) const;
};

}  // namespace regard::nn
