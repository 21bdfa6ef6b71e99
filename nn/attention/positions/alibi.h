#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "nn/attention/modifier.h"
#include "nn/attention/positions/distance_table.h"
#include "tensor/ops/pointwise.h"

namespace regard::nn {

// One slope for each head, (H, 1, 1): 2^(−8h/H), h = 1 … H, where H is a power of 2. For other H the slopes of the
// power of 2 below are filled up with every second one of those of the power above.
Tensor alibi_slopes(std::int64_t heads, DType dtype = DType::f32);

// −slopeₕ·|i − j|, (H, Lq, Lk): Mask::bias(alibi_bias(…), MaskAxes::per_head).
Tensor alibi_bias(std::int64_t heads, std::int64_t queries, std::int64_t keys, std::int64_t offset, DType dtype);

// Attention with linear biases (ALiBi): each head subtracts from its scores what grows with the distance, each at its
// own rate. Nothing is learned, and no length is the longest. The scores are (…, H, Lq, Lk).
struct Alibi : Modifier {
  std::int64_t heads;

  Alibi(AnyScore score, std::int64_t head_count) : Modifier(std::move(score)), heads(head_count) {}

  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    return require_heads("Alibi", inner(q, k, offset), heads) +
           Variable(alibi_bias(heads, q.size(-2), k.size(-2), offset, q.dtype()));
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    FusedForm form = inner.fused(require_heads("Alibi", q, heads), k, offset);
    form.score = shipped_scores::with_slopes(form.score, per_head(flatten(alibi_slopes(heads, q.dtype()))));
    return form;
  }
};

// The same with slopes that are learned, (H), and start as those above.
struct LearnedAlibi : Modifier {
  Variable slopes;

  LearnedAlibi(AnyScore score, std::int64_t heads, DType dtype = DType::f32)
      : Modifier(std::move(score)), slopes(parameter(flatten(alibi_slopes(heads, dtype)))) {}

  void visit(Visitor& v) {
    Modifier::visit(v);
    v("slopes", slopes);
  }

  // book: learned_alibi
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    const Tensor distance = abs(distances_ahead(q.size(-2), k.size(-2), offset, q.dtype()));
    return require_heads("LearnedAlibi", inner(q, k, offset), slopes.size(0)) -
           reshape(slopes, {slopes.size(0), 1, 1}) * Variable(distance);
  }
  // book: /learned_alibi
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    FusedForm form = inner.fused(require_heads("LearnedAlibi", q, slopes.size(0)), k, offset);
    form.score = shipped_scores::with_slopes(form.score, per_head(slopes));
    return form;
  }
};

}  // namespace regard::nn
