#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "nn/attention/scores/require.h"
#include "nn/attention/skeleton.h"

namespace regard::nn {

// All pairs: qᵢ − kⱼ, for q (…, Lq, D) and k (…, Lk, D) → (…, Lq, Lk, D). Errors begin with the name of the score.
inline Variable differences(const Variable& q, const Variable& k, const char* score = "differences") {
  require_same_features(score, q, k);
  return unsqueeze(q, -2) - unsqueeze(k, -3);
}

// ‖qᵢ − kⱼ‖². The shorter way over q² − 2q·k + k² would lose all digits where a query stands on a key.
inline Variable squared_distance(const Variable& q, const Variable& k, const char* score = "squared_distance") {
  return sum(square(differences(q, k, score)), -1);
}

// a(q, k) = −scale·‖q − k‖²
struct NegativeSquaredL2 {
  double scale = 1;
  Variable operator()(const Variable& q, const Variable& k) const {
    return squared_distance(q, k, "NegativeSquaredL2") * -scale;
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    require_same_features("NegativeSquaredL2", q, k);
    return {shipped_scores::squared_l2(scale), q, k};
  }
};

// a(q, k) = −scale·Σ |q − k|
struct NegativeL1 {
  double scale = 1;
  Variable operator()(const Variable& q, const Variable& k) const {
    return sum(abs(differences(q, k, "NegativeL1")), -1) * -scale;
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    require_same_features("NegativeL1", q, k);
    return {shipped_scores::l1(scale), q, k};
  }
};

}  // namespace regard::nn
