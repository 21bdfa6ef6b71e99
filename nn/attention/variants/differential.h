#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "nn/attention/modifier.h"
#include "tensor/create.h"
#include "tensor/random/random.h"

namespace regard::nn {

// Differential attention. Queries and keys are cut into halves, and each pair of halves gives weights of its own:
//   α = softmax(a(q₁, k₁)) − λ·softmax(a(q₂, k₂))
// What both maps attend to by habit cancels, as noise does in a differential amplifier. The rows sum to 1 − λ, and
// weights may be negative. λ is learned: as a number, or, which moves faster, as products of four vectors:
//   λ = e^(u₁·u₂) − e^(u₃·u₄) + start
struct DifferentialAttention : Modifier {
  Variable lambda, vectors;  // (); u, (4, D) for halves of D features. One of the two is undefined
  double start;

  explicit DifferentialAttention(AnyScore score, double from = 0.5, DType dtype = DType::f32)
      : Modifier(std::move(score)), lambda(parameter(full({}, from, dtype))), start(from) {}
  DifferentialAttention(AnyScore score, double from, std::int64_t half_size, Generator& g, DType dtype = DType::f32)
      : Modifier(std::move(score)), vectors(parameter(normal({4, half_size}, g, 0, 0.1, dtype))), start(from) {}

  void visit(Visitor& v) {
    Modifier::visit(v);
    v("lambda", lambda);
    v("vectors", vectors);
  }
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {  // (2, …, Lq, Lk)
    return stack({inner(half(q, 0), half(k, 0), offset), inner(half(q, 1), half(k, 1), offset)}, 0);
  }
  std::vector<FusedTerm> fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    return {{inner.fused(half(q, 0), half(k, 0), offset)}, {inner.fused(half(q, 1), half(k, 1), offset), -share()}};
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    const Variable maps = Modifier::normalize(scores, keep);
    return select(maps, 0, 0) - share() * select(maps, 0, 1);
  }

  Variable share() const {  // λ
    if (lambda.defined()) return lambda;
    const auto product = [&](std::int64_t i) { return sum(select(vectors, 0, i) * select(vectors, 0, i + 1)); };
    return exp(product(0)) - exp(product(2)) + start;
  }
  static Variable half(const Variable& x, std::size_t i) { return split(x, {x.size(-1) / 2, x.size(-1) / 2}, -1)[i]; }
};

}  // namespace regard::nn
