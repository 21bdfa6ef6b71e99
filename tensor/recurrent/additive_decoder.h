#pragma once

#include "tensor/recurrent/sequence.h"

namespace regard {

// All steps of a GRU that looks at a memory of K keys before each step, by additive attention;
// autograd/recurrent/additive_decoder.h has the formulas. Gain: composed of other operations, a step of training a
// translator takes 1.7 to 2.1 times as long.
struct AdditiveDecoderInputs {
  Tensor projected, initial;  // p (L, B, 3H), as for a GRU, and the state before the first step (B, H)
  Tensor keys, values, keep;  // (B, K, D), (B, K, M), and 1 where a key may be looked at, else 0: broadcasts to (B, K)
  Tensor query, score;        // W_q (D, H), w (D)
  Tensor context;             // W_c (3H, M)
  Tensor hidden, bias;        // W_hh (3H, H), b_hh (3H)
};

// The three results. An operation has one, so they share one tensor, end to end.
struct AdditiveDecoderParts {
  Tensor states, contexts, weights;  // (L + 1, B, H), (L, B, M), (L, B, K)
};
struct AdditiveDecoderShape {
  Shape states, contexts, weights;
  std::int64_t numel() const { return states.numel() + contexts.numel() + weights.numel(); }
};
AdditiveDecoderShape shape_of(const AdditiveDecoderInputs& in);
AdditiveDecoderParts parts_of(const Tensor& all, const AdditiveDecoderShape& shape);

struct AdditiveDecoderResult {
  Tensor all;
  Tensor gates = {}, queries = {};  // what the gradients need: those of the GRU, and W_q·h of each step (L, B, D)
};
AdditiveDecoderResult additive_decoder(const AdditiveDecoderInputs& in, bool keep_for_gradients);

// The gradients of Σ g·all, for each input but `keep`.
AdditiveDecoderInputs additive_decoder_gradients(const Tensor& g, const AdditiveDecoderInputs& in,
                                                 const AdditiveDecoderResult& made);

// Throws unless all of them fit each other.
void require_additive_decoder(const AdditiveDecoderInputs& in);

}  // namespace regard
