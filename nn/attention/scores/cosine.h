#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "nn/attention/scores/require.h"
#include "nn/attention/skeleton.h"
#include "tensor/create.h"

#include <cmath>

namespace regard::nn {

struct CosineOptions {
  double temperature = 0.1;  // to start with
  DType dtype = DType::f32;
};

// a(q, k) = cos(q, k)/τ          q (…, Lq, D), k (…, Lk, D) → (…, Lq, Lk)
//
// The lengths of queries and keys do not matter. A cosine is at most 1, too little for softmax to prefer one of many
// keys, so it is divided by a temperature, which is learned; its logarithm is the parameter, so that τ stays positive.
struct CosineScore {
  Variable log_temperature;

  explicit CosineScore(const CosineOptions& o = {})
      : log_temperature(parameter(full({}, std::log(o.temperature), o.dtype))) {}

  void visit(Visitor& v) { v("log_temperature", log_temperature); }

  Variable operator()(const Variable& q, const Variable& k) const {
    require_same_features("CosineScore", q, k);
    return matmul(unit(q), transpose(unit(k))) * exp(-log_temperature);
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    require_same_features("CosineScore", q, k);
    return {shipped_scores::dot(1), unit(q) * exp(-log_temperature), unit(k)};
  }

  // x/‖x‖ for each vector; the vector 0, which has no direction, stays 0.
  static Variable unit(const Variable& x) {
    const Variable length2 = sum(square(x), -1, keepdim);
    return x * rsqrt(where(equal(length2, 0.0), 1, length2));
  }
};

}  // namespace regard::nn
