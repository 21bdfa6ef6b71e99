#pragma once

#include "autograd/attention/pair_number.h"

#include <functional>
#include <memory>
#include <span>

namespace regard::engine {
template <class T>
class TileScore;
}  // namespace regard::engine

namespace regard {

// What the composed form of a score is computed from: all pairs at once, by axes of length 1.
struct AllPairs {
  Variable q, k;                           // (…, Lq, 1, D) and (…, 1, Lk, D), or expanded to (…, Lq, Lk, D)
  Variable parameters;                     // broadcast to (…, Lq, Lk, D); or undefined
  Variable i, j, h;                        // positions of queries (Lq, 1) and of keys (1, Lk), and heads (H, 1, 1)
  std::span<const Variable> numbers = {};  // of pairs, (…, Lq, Lk): one for each of the score's
};

// Which formula of one pair a score is, for whoever shows it term by term.
enum class PairFormula {
  other,
  dot,               // factor·Σ q·k
  additive,          // Σ θ·tanh(q + k)
  squared_distance,  // −factor·Σ (q − k)²; with parameters Σ θ·(q − k)²
};

// A score that fused attention can compute, whatever function it was made from (score.h makes one): what it does to
// tiles, and the same with Variables for all pairs, (…, Lq, Lk), which is what the tiles are tested against.
struct FusedScore {
  std::shared_ptr<const engine::TileScore<float>> f32;
  std::shared_ptr<const engine::TileScore<double>> f64;
  std::function<Variable(const AllPairs& pairs)> composed;
  bool needs_parameters = false;
  std::vector<PairNumber> numbers = {};  // that its modifiers learn
  PairFormula formula = PairFormula::other;
  double factor = 1;

  FusedScore as(PairFormula one, double with_factor = 1) && {
    formula = one;
    factor = with_factor;
    return std::move(*this);
  }
};

}  // namespace regard
