#pragma once

#include "autograd/ops/view.h"
#include "nn/attention/scores/require.h"
#include "nn/attention/skeleton.h"
#include "tensor/create.h"

namespace regard::nn {

// a(q, k) = 0: every key that a query may see counts the same. The baseline that a learned score has to beat.
struct AveragePooling {
  Variable operator()(const Variable& q, const Variable& k) const {
    require_given("AveragePooling", q, k);
    return zeros(pairs::shape_of(q, k, k), q.dtype());
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {  // the dot product of no features
    require_given("AveragePooling", q, k);
    return {shipped_scores::dot(1), slice(q, -1, 0, 0), slice(k, -1, 0, 0)};
  }
};

}  // namespace regard::nn
