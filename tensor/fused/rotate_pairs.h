#pragma once

#include "tensor/tensor.h"

namespace regard {

// Which features of a row make a pair. Weights trained with one layout give wrong results, silently, with the other.
enum class PairLayout {
  interleaved,  // (0, 1), (2, 3), …
  halves,       // (0, P), (1, P + 1), … for P pairs
};

// x (…, D) with each pair (a, b) turned by an angle of its own:  (a·cos − b·sin, b·cos + a·sin).
// Gain: composed of other operations, a small model takes 1.7 times as long to write a token.
// cosine and sine (…, P) broadcast to the axes that x has in front; 2·P ≤ D, and features behind the pairs stay.
Tensor rotate_pairs(const Tensor& x, const Tensor& cosine, const Tensor& sine, PairLayout layout);

}  // namespace regard
