#pragma once

#include "autograd/variable.h"

#include <functional>
#include <memory>

namespace regard {
template <class T>
class TileScore;
}

namespace regard::nn {

// A score that fused attention can compute, with its type forgotten: what it does to tiles, and the same with Variables for
// all pairs at once, (…, Lq, Lk), which is what the tiles are tested against. There q is (…, Lq, 1, D), k (…, 1, Lk, D), and
// where 1 is the length of others may stand. score.h makes one from a function.
struct FusedScore {
  std::shared_ptr<const TileScore<float>> f32;
  std::shared_ptr<const TileScore<double>> f64;
  std::function<Variable(const Variable& q, const Variable& k, const Variable& parameters)> composed;
  // of scores and of the positions of queries, (Lq, 1), of keys, (1, Lk), and of heads, (H, 1, 1); or empty
  std::function<Variable(const Variable& scores, const Variable& i, const Variable& j, const Variable& h)> modify = {};
  bool needs_parameters = false;
};

// What a score struct asks of fused attention: tiles, and what they are given in place of its queries and keys.
struct FusedCall {
  FusedScore score;
  Variable q, k, parameters = {};
};

// A score with a fused form has a member fused(q, k, offset).
template <class S>
concept Fusable = requires(const S& score, const Variable& x) {
  { score.fused(x, x, std::int64_t{0}) } -> std::same_as<FusedCall>;
};

// The tiles of the scores of this library, compiled once.
namespace tiles {
FusedScore dot(double factor);
FusedScore additive();                // Σ θ·tanh(q + k)
FusedScore squared_l2(double scale);  // −scale·Σ (q − k)²
FusedScore weighted_l2();             // Σ θ·(q − k)²
FusedScore l1(double scale);          // −scale·Σ |q − k|
FusedScore soft_capped(const FusedScore& score, double cap);
FusedScore with_slopes(const FusedScore& score, const std::vector<double>& slopes);  // − slopeₕ·|i − j|
}  // namespace tiles

}  // namespace regard::nn
