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

// Retention (RetNet), without its norm: the weight of a pair is q·k, times `decay` for each step between the two.
//   αᵢⱼ = (qᵢ·kⱼ)·decay^|i − j|
// With a causal mask this is the table that delta_rule does without: it gives the same where log_decay is log(decay)
// for every token. Where the decay depends on the token, as in Mamba-2, the factor is the product of the decays in
// between, and no score can make such a table from queries and keys.
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
