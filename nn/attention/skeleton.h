#pragma once

#include "autograd/attention/fused_attention.h"
#include "autograd/attention/pairs.h"
#include "autograd/attention/shipped_scores.h"
#include "autograd/fused/masked_softmax.h"
#include "nn/attention/mask.h"
#include "nn/module.h"

namespace regard::nn {

// What all attention has in common, and where one kind may differ from another.
//
//   scores  = score(q, k)               q (…, Lq, Dq), k (…, Lk, Dk) → (…, Lq, Lk): the variant
//   weights = masked_softmax(scores)    over the keys of each query; a score may bring a normalize() of its own
//   output  = dropout(weights) · v      v (…, Lk, Dv) → (…, Lq, Dv)

// How it is computed is said by the caller; both methods give the same output and the same gradients.
enum class Method {
  composed,  // returns the weights of all pairs, and holds them
  fused,     // returns no weights; memory grows with Lq + Lk, not with Lq·Lk. For scores with a fused form
};

struct AttentionOutput {
  Variable output, weights;  // (…, Lq, Dv), and (…, Lq, Lk) as they are before dropout
};

// A score that can be computed from tiles says how in a member fused(q, k, offset): which fused score it is, and what
// that is given in place of its queries and keys.
struct FusedForm {
  FusedScore score;
  Variable q, k, parameters = {};
};
template <class S>
concept HasFusedForm = requires(const S& score, const Variable& x) {
  { score.fused(x, x, std::int64_t{0}) } -> std::same_as<FusedForm>;
};

// Or the weights are a sum of several softmaxes, each times a factor: then fused(q, k, offset) returns a list of terms.
struct FusedTerm {
  FusedForm form;
  Variable factor;
};
template <class S>
concept HasFusedTerms = requires(const S& score, const Variable& x) {
  { score.fused(x, x, std::int64_t{0}) } -> std::same_as<std::vector<FusedTerm>>;
};
template <class S>
concept Fusible = HasFusedForm<S> || HasFusedTerms<S>;

// A score is a function of queries and keys. One that depends on positions takes that of the first query as well; keys
// are counted from 0. A score that says its fused form need say no more: the scores of all pairs follow from it.
template <class S>
concept Score = requires(const S& score, const Variable& x) {
  { score(x, x) } -> std::same_as<Variable>;
};
template <class S>
concept PositionedScore = requires(const S& score, const Variable& x, std::int64_t offset) {
  { score(x, x, offset) } -> std::same_as<Variable>;
};
template <class S>
concept AnyScore = Score<S> || PositionedScore<S> || HasFusedForm<S>;

template <class S>
concept Normalizing = requires(const S& score, const Variable& x, const Tensor& keep) {
  { score.normalize(x, keep) } -> std::same_as<Variable>;
};

template <AnyScore S>
Variable evaluate(const S& score, const Variable& q, const Variable& k, std::int64_t offset) {
  if constexpr (PositionedScore<S>) {
    return score(q, k, offset);
  } else if constexpr (Score<S>) {
    return score(q, k);
  } else {
    const FusedForm form = score.fused(q, k, offset);
    return composed_scores(form.score, form.q, form.k, {.parameters = form.parameters, .offset = offset});
  }
}

template <AnyScore S>
Variable normalize(const S& score, const Variable& scores, const Tensor& keep) {
  if constexpr (Normalizing<S>)
    return score.normalize(scores, keep);
  else
    return masked_softmax(scores, 1, keep);
}

}  // namespace regard::nn
