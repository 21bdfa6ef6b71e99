#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/attention/modifier.h"
#include "tensor/create.h"

namespace regard::nn {

// Differential attention. Queries and keys are cut into halves, and each pair of halves gives weights of its own:
//   α = softmax(a(q₁, k₁)) − λ·softmax(a(q₂, k₂))
// What both maps attend to by habit cancels, as noise does in a differential amplifier. The rows sum to 1 − λ, and
// weights may be negative. λ is learned.
struct DifferentialAttention : Modifier {
  Variable lambda;

  explicit DifferentialAttention(AnyScore score, double start = 0.5, DType dtype = DType::f32)
      : Modifier(std::move(score)), lambda(parameter(full({}, start, dtype))) {}

  void visit(Visitor& v) {
    Modifier::visit(v);
    v("lambda", lambda);
  }
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {  // (2, …, Lq, Lk)
    return stack({inner(half(q, 0), half(k, 0), offset), inner(half(q, 1), half(k, 1), offset)}, 0);
  }
  std::vector<FusedTerm> fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    const Variable one(ones({}, lambda.dtype()));
    return {{inner.fused(half(q, 0), half(k, 0), offset), one}, {inner.fused(half(q, 1), half(k, 1), offset), -lambda}};
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    const Variable maps = Modifier::normalize(scores, keep);
    return select(maps, 0, 0) - lambda * select(maps, 0, 1);
  }

  static Variable half(const Variable& x, std::size_t i) { return split(x, {x.size(-1) / 2, x.size(-1) / 2}, -1)[i]; }
};

}  // namespace regard::nn
