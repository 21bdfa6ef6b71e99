#pragma once

#include "autograd/ops/arithmetic.h"
#include "nn/attention/fused/fused_attention.h"
#include "nn/attention/skeleton.h"
#include "nn/layers/dropout.h"

namespace regard::nn {

struct AttentionOptions {
  double dropout = 0;  // of weights, in training
  std::uint64_t seed = 0;
  Kernel kernel = Kernel::composed;
};

// Each query looks at all keys and takes the mean of their values, weighted by how well they match:
//
//   αᵢⱼ = softmaxⱼ a(qᵢ, kⱼ)        outputᵢ = Σⱼ αᵢⱼ·vⱼ
//
// The score a is all that makes one kind of attention differ from another:
//   Attention attention(AdditiveScore({.query_size = 20, .key_size = 2, .hidden = 8}, generator), {.dropout = 0.1});
//   auto [output, weights] = attention(queries, keys, values, Mask::valid_lengths({2, 6}));
template <AnyScore S>
struct Attention {
  S score;
  Dropout dropout;
  Kernel kernel;

  explicit Attention(S with_score, const AttentionOptions& options = {})
      : score(std::move(with_score)), dropout(options.dropout, options.seed), kernel(options.kernel) {
    if (kernel == Kernel::fused && !Fusable<S>) fail<ValueError>("Attention: this score has no fused form");
  }

  void visit(Visitor& v) {
    if constexpr (Module<S>) v("score", score);
    v("dropout", dropout);
  }

  // q (…, Lq, Dq), k (…, Lk, Dk), v (…, Lk, Dv). The first query stands at position `offset`: in decoding, after as many
  // keys as have gone before.
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             std::int64_t offset = 0) {
    if constexpr (Fusable<S>)
      if (kernel == Kernel::fused) return {fused(q, k, v, mask, offset), {}};
    return attend(q, k, v, mask.at(offset).resolve(scores_shape(q, k, v), q.dtype()), offset);
  }

  // The same for a mask that is worked out already.
  AttentionOutput attend(const Variable& q, const Variable& k, const Variable& v, const Allowed& allowed,
                         std::int64_t offset) {
    const Tensor& keep = allowed.keep;
    Variable scores = evaluate(score, without_blind_queries(q, keep), without_unseen_keys(k, keep), offset);
    if (allowed.bias.defined()) scores = scores + allowed.bias;
    const Variable weights = normalize(score, scores, keep);
    return {mix(dropout(weights), without_unseen_keys(v, keep), keep), weights};
  }

  // The output alone, from tiles.
  Variable fused(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                 std::int64_t offset = 0) requires Fusable<S> {
    const Mask::Outline seen = mask.at(offset).outline(scores_shape(q, k, v), q.dtype());
    const FusedCall call =
        score.fused(without_blind_queries(q, seen.queries), without_unseen_keys(k, seen.keys), offset);
    const double p = dropout.training ? dropout.p : 0;
    return fused_attention(
        call.score, call.q, call.k, v,
        {.parameters = call.parameters, .mask = mask, .offset = offset, .dropout = p, .generator = &dropout.generator});
  }
};

}  // namespace regard::nn
