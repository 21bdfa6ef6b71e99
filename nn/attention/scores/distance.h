#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "nn/attention/fused/fused_score.h"
#include "nn/attention/scores/require.h"

namespace regard::nn {

// All pairs: qᵢ − kⱼ, for q (…, Lq, D) and k (…, Lk, D) → (…, Lq, Lk, D).
inline Variable differences(const Variable& q, const Variable& k) {
  require_same_features("distance", q, k);
  return unsqueeze(q, -2) - unsqueeze(k, -3);
}

// ‖qᵢ − kⱼ‖². The shorter way over q² − 2q·k + k² would lose all digits where a query stands on a key.
inline Variable squared_distance(const Variable& q, const Variable& k) { return sum(square(differences(q, k)), -1); }

// a(q, k) = −scale·‖q − k‖²
struct NegativeSquaredL2 {
  double scale = 1;
  Variable operator()(const Variable& q, const Variable& k) const { return squared_distance(q, k) * -scale; }
  FusedCall fused(const Variable& q, const Variable& k, std::int64_t) const { return {tiles::squared_l2(scale), q, k}; }
};

// a(q, k) = −scale·Σ |q − k|
struct NegativeL1 {
  double scale = 1;
  Variable operator()(const Variable& q, const Variable& k) const { return sum(abs(differences(q, k)), -1) * -scale; }
  FusedCall fused(const Variable& q, const Variable& k, std::int64_t) const { return {tiles::l1(scale), q, k}; }
};

}  // namespace regard::nn
