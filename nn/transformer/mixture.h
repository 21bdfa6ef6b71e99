#pragma once

#include "nn/transformer/feed_forward.h"

namespace regard::nn {

struct MixtureOptions {
  std::int64_t size, hidden;   // E, and the width F of each expert
  std::int64_t experts, best;  // n, and how many of them a token goes through, k
  FeedForwardKind kind = FeedForwardKind::swiglu;
  bool bias = false;         // of the experts
  bool router_bias = false;  // of W_r
  bool sums_to_1 = false;    // the gates of those that are chosen: each is divided by their sum
  DType dtype = DType::f32;
};

// A mixture of experts as a feed-forward part: of n small networks a token goes through the k that suit it best.
//   g = softmax(W_r·x)          y = Σ gₑ·FFNₑ(x) over the k largest gₑ          x (…, E) → (…, E)
// There are n times as many weights, and the work of k. No expert is ever full and no token is dropped, so what a token
// gets does not depend on the others of its batch. Gates are what softmax gives, or the same divided by the sum of the
// k that are chosen, which is the softmax of these.
//
// If all tokens went to a few experts, the others would never learn. So training adds to the loss a small multiple,
// such as 0.01, of each layer's `balance`:
//   n·Σ fₑ·Pₑ, fₑ the part of all choices that fell on e (no gradient), Pₑ the mean of gₑ over all tokens
// It is 1 where all experts are chosen alike, and up to n/k where all tokens choose the same k.
struct Mixture {
  std::int64_t best;
  bool sums_to_1;
  Linear router;
  std::vector<FeedForward> experts;
  Variable balance;  // of the last call

  Mixture(const MixtureOptions& options, Generator& generator);
  void visit(Visitor& v) {
    v("router", router);
    v("experts", experts);
  }
  Variable operator()(const Variable& x);
};

}  // namespace regard::nn
