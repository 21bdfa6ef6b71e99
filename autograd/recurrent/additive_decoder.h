#pragma once

#include "autograd/variable.h"
#include "tensor/recurrent/sequence.h"

namespace regard {

// A GRU that looks at a memory of K keys and values before each of its steps, by additive attention: Bahdanau's
// decoder, for all steps of a sequence. It is one operation where the reset gate comes after the product, and composed
// where it comes before. In a step, from the state h before it:
//   sⱼ = Σ w·tanh(W_q·h + kⱼ)      α = softmax s, over the keys that are kept      c = Σⱼ αⱼ·vⱼ
//   h′ = GRU(p + W_c·c, h)         p: what is projected of the input, W_x·x + b_ih
struct AdditiveMemory {
  Variable keys, values;  // (B, K, D), (B, K, M)
  Tensor keep;            // 1 where a key may be looked at, else 0; of the keys' dtype, broadcasts to (B, K)
};
struct AdditiveDecoderWeights {
  Variable query, score;  // W_q (D, H), w (D)
  Variable context;       // W_c (3H, M)
  Variable hidden, bias;  // of the GRU: W_hh (3H, H), b_hh (3H), in the order r, z, n
};

struct LookingSteps {
  Variable states;             // (L + 1, B, H), the initial one first
  Variable contexts, weights;  // c of each step (L, B, M), α (L, B, K)
};

// projected p (L, B, 3H), time first; initial (B, H).
LookingSteps additive_decoder(const Variable& projected, const Variable& initial, const AdditiveMemory& memory,
                              const AdditiveDecoderWeights& weights, ResetGate reset);
LookingSteps additive_decoder_composed(const Variable& projected, const Variable& initial, const AdditiveMemory& memory,
                                       const AdditiveDecoderWeights& weights, ResetGate reset);

}  // namespace regard
