#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"
#include "nn/attention/scores/require.h"
#include "nn/attention/skeleton.h"

#include <cmath>

namespace regard::nn {

// a(q, k) = scale · q·k          q (…, Lq, D), k (…, Lk, D) → (…, Lq, Lk)
//
// With independent components of mean 0 and variance 1 the variance of q·k is D. The default scale 1/√D restores 1:
// without it, large D pushes softmax to where one weight is 1 and all slopes are 0.
struct ScaledDotProduct {
  std::optional<double> scale = {};  // default 1/√D

  // book: score
  Variable operator()(const Variable& q, const Variable& k) const {
    require_same_features("ScaledDotProduct", q, k);
    return matmul(q * factor(q), transpose(k));
  }
  // book: /score
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    require_same_features("ScaledDotProduct", q, k);
    return {shipped_scores::dot(factor(q)), q, k};
  }

  double factor(const Variable& q) const { return scale.value_or(1 / std::sqrt(static_cast<double>(q.size(-1)))); }
};

}  // namespace regard::nn
