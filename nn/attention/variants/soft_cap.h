#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "nn/attention/modifier.h"

#include <cmath>

namespace regard::nn {

// Soft-capped attention: s ↦ c·tanh(s/c). Scores near 0 stay as they are, and none grows beyond ±c: no single key can
// win by so much that softmax stops learning. Unlike a clamp, it has a slope everywhere.
struct SoftCapped : Modifier {
  double cap;

  SoftCapped(AnyScore score, double limit) : Modifier(std::move(score)), cap(limit) {
    if (!(cap > 0 && std::isfinite(cap)))
      fail<ValueError>("SoftCapped: the cap is {}: it must be more than 0, and finite", cap);
  }

  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    return tanh(inner(q, k, offset) * (1 / cap)) * cap;
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    FusedForm form = inner.fused(q, k, offset);
    form.score = shipped_scores::soft_capped(form.score, cap);
    return form;
  }
};

}  // namespace regard::nn
