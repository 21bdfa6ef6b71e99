#pragma once

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
};

}  // namespace regard::nn
