#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "nn/attention/modifier.h"

namespace regard::nn {

// Attention without softmax: each weight comes from its own score, and keys do not compete. So weights need not sum to
// 1; dividing by the number n of keys that the query may see keeps outputs of one size.

// αᵢⱼ = max(0, sᵢⱼ)/n
struct ReluAttention : Modifier {
  static constexpr const char* no_fused_form = "its weights are no softmax";
  explicit ReluAttention(AnyScore score) : Modifier(std::move(score)) {}
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const { return inner(q, k, offset); }
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    return pairs::kept(relu(scores), keep) * Variable(divide(1, pairs::visible_keys(scores.shape(), keep)));
  }
};

// αᵢⱼ = 1/(1 + n·e^(−sᵢⱼ)): a sigmoid, moved by −log n, so that weights of scores near 0 begin near 1/n.
struct SigmoidAttention : Modifier {
  static constexpr const char* no_fused_form = "its weights are no softmax";
  explicit SigmoidAttention(AnyScore score) : Modifier(std::move(score)) {}
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const { return inner(q, k, offset); }
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    return pairs::kept(sigmoid(scores - Variable(log(pairs::visible_keys(scores.shape(), keep)))), keep);
  }
};

}  // namespace regard::nn
