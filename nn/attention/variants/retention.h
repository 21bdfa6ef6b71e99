#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"
#include "nn/attention/positions/distance_table.h"
#include "nn/attention/scores/require.h"
#include "nn/attention/skeleton.h"
#include "tensor/ops/pointwise.h"

#include <cmath>

namespace regard::nn {

// Retention (RetNet), without its norm: the weight of a pair is its product, less by a factor for each step between.
//   αᵢⱼ = (qᵢ·kⱼ)·decay^|i − j|
// It shows which table of pairs the gated rule stands for: causal, with a log_decay that is everywhere the same,
// delta_rule gives the same without the table. Where the decay hangs on the token, as in Mamba-2, it is a product of
// the decays between, and there is no table that a score could make of queries and keys.
struct Retention {
  static constexpr const char* no_fused_form = "its weights are no softmax";
  double decay;

  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    require_same_features("Retention", q, k);
    const Tensor steps = abs(distances_ahead(q.size(-2), k.size(-2), offset, q.dtype()));
    return matmul(q, transpose(k)) * Variable(exp(steps * std::log(decay)));
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const { return pairs::kept(scores, keep); }
};

}  // namespace regard::nn
