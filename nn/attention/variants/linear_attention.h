#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "nn/attention/scores/kernels.h"

#include <limits>

namespace regard::nn {

// Linear attention. The weight of a pair is a product of features, φ(q)·φ(k) > 0, divided by its sum over the keys;
// φ(x) is x + 1 for x > 0 and eˣ below. As a score it fits the skeleton, so the same laws can be tried on it.
struct LinearAttention : SharedOut {
  Variable operator()(const Variable& q, const Variable& k) const {
    require_same_features("LinearAttention", q, k);
    return matmul(features(q), transpose(features(k)));
  }

  static Variable features(const Variable& x) {
    return where(greater(x, 0.0), x + 1, exp(clamp(x, -std::numeric_limits<double>::infinity(), 0)));
  }
};

// What it is for: in (φ(q)·φ(k)ᵀ)·v = φ(q)·(φ(k)ᵀ·v) the right side never forms a matrix of all pairs, and costs
// 2·L·D·Dv instead of L²·(D + Dv). Without a mask.
inline Variable linear_attention(const Variable& q, const Variable& k, const Variable& v) {
  const Variable queries = LinearAttention::features(q), keys = transpose(LinearAttention::features(k));  // (…, D, Lk)
  return matmul(queries, matmul(keys, v)) / matmul(queries, sum(keys, -1, keepdim));
}

}  // namespace regard::nn
