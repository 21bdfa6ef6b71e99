#pragma once

#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"
#include "nn/attention/modifier.h"
#include "tensor/create.h"

namespace regard::nn {

// Talking heads. Elsewhere heads do not know of each other until their outputs are mixed. Here P mixes their scores,
// and R their weights, which then need not sum to 1. Both start as the identity, which is no talk at all.
struct TalkingHeads : Modifier {
  static constexpr const char* no_fused_form = "it mixes heads";
  Variable mix_scores, mix_weights;  // P and R: (H, H)

  TalkingHeads(AnyScore score, std::int64_t heads, DType dtype = DType::f32)
      : Modifier(std::move(score)),
        mix_scores(parameter(eye(heads, dtype))),
        mix_weights(parameter(eye(heads, dtype))) {}

  void visit(Visitor& v) {
    Modifier::visit(v);
    v("mix_scores", mix_scores), v("mix_weights", mix_weights);
  }
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    return across_heads(mix_scores, inner(q, k, offset));
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    const Variable weights = Modifier::normalize(scores, keep);
    return pairs::kept(across_heads(mix_weights, weights), keep);  // heads may be masked differently
  }

  // yₕ = Σ_g matrix(h, g)·x_g          x (B, H, Lq, Lk)
  static Variable across_heads(const Variable& matrix, const Variable& x) {
    return reshape(matmul(matrix, flatten(x, -2, -1)), x.shape());
  }
};

}  // namespace regard::nn
