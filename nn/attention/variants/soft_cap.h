#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/attention/modifier.h"
#include "tensor/create.h"

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

// The same with a cap that each head learns. Its logarithm is the parameter, (H), so that caps stay positive.
struct LearnedSoftCap : Modifier {
  Variable log_caps;

  LearnedSoftCap(AnyScore score, std::int64_t heads, double start, DType dtype = DType::f32)
      : Modifier(std::move(score)), log_caps(parameter(full({heads}, std::log(start), dtype))) {
    if (!(start > 0 && std::isfinite(start)))
      fail<ValueError>("LearnedSoftCap: the cap is {}: it must be more than 0, and finite", start);
  }

  void visit(Visitor& v) {
    Modifier::visit(v);
    v("log_caps", log_caps);
  }

  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    const Variable scores = require_heads("LearnedSoftCap", inner(q, k, offset), log_caps.size(0));
    const Variable caps = exp(reshape(log_caps, {log_caps.size(0), 1, 1}));
    return tanh(scores / caps) * caps;
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    FusedForm form = inner.fused(require_heads("LearnedSoftCap", q, log_caps.size(0)), k, offset);
    form.score = shipped_scores::soft_capped(form.score, per_head(exp(log_caps)));
    return form;
  }
};

}  // namespace regard::nn
