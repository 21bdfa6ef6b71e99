#pragma once

#include "autograd/attention/fused_score.h"

// The fused scores that come with the library, compiled once.
namespace regard::shipped_scores {

FusedScore dot(double factor);
FusedScore additive();                // Σ θ·tanh(q + k)
FusedScore squared_l2(double scale);  // −scale·Σ (q − k)²
FusedScore weighted_l2();             // Σ θ·(q − k)²
FusedScore l1(double scale);          // −scale·Σ |q − k|
FusedScore soft_capped(const FusedScore& score, double cap);
FusedScore soft_capped(const FusedScore& score, const PairNumber& caps);
FusedScore with_numbers(const FusedScore& score, const PairNumber& numbers);  // + number
FusedScore with_slopes(const FusedScore& score, const PairNumber& slopes);    // − slope·|i − j|

}  // namespace regard::shipped_scores
