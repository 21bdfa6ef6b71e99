#pragma once

#include "autograd/fused/masked_softmax.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "nn/attention/modifier.h"
#include "tensor/create.h"
#include "tensor/ops/join.h"
#include "tensor/view.h"

namespace regard::nn {

// Attention sinks, as in gpt-oss. Each head has a learned number b, and e^b stands in the sum of every row:
//
//   αᵢⱼ = e^sᵢⱼ/(e^b + Σⱼ e^sᵢⱼ)
//
// So weights sum to less than 1, and a head that finds nothing may take nothing; with softmax it would have to look
// somewhere. Fused attention returns log Σ eˢ beside its output, and o = output·σ(log Σ eˢ − b) is the output with the
// sink. With the share p = e^b/(e^b + Σ eˢ) that the sink takes, ∂b = −Σᵢ pᵢ·(gᵢ·oᵢ).
struct Sinks : Modifier {
  Variable sinks;  // b, (H)

  Sinks(AnyScore score, std::int64_t heads, DType dtype = DType::f32)
      : Modifier(std::move(score)), sinks(parameter(zeros({heads}, dtype))) {}

  void visit(Visitor& v) {
    Modifier::visit(v);
    v("sinks", sinks);
  }
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    return require_heads("Sinks", inner(q, k, offset), sinks.size(0));
  }
  // As it is defined: one more column of scores, which every query sees, and whose weight is left out.
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    const Shape column = scores.shape().with(scores.rank() - 1, 1);
    const Variable all = cat({scores, expand(reshape(sinks, {sinks.size(0), 1, 1}), column)}, -1);
    const Tensor seen = cat({expand(keep, scores.shape()), ones(column, keep.dtype())}, -1);
    return slice(masked_softmax(all, 1, seen), -1, 0, scores.size(-1));
  }
  std::vector<FusedTerm> fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    return {{.form = inner.fused(require_heads("Sinks", q, sinks.size(0)), k, offset), .sink = sinks}};
  }
};

}  // namespace regard::nn
