#pragma once

#include "autograd/ops/fused.h"
#include "nn/attention/mask.h"
#include "nn/module.h"

namespace regard::nn {

// What all attention has in common, and where one kind may differ from another.
//
//   scores  = score(q, k)               q (…, Lq, Dq), k (…, Lk, Dk) → (…, Lq, Lk): the variant
//   weights = masked_softmax(scores)    over the keys of each query; a score may bring a normalize() of its own
//   output  = dropout(weights) · v      v (…, Lk, Dv) → (…, Lq, Dv)

// Who computes it is an argument.
enum class Kernel {
  composed,  // returns the weights of all pairs, and holds them
  fused,     // returns no weights; memory grows with Lq + Lk, not with Lq·Lk. For scores with a fused form
};

struct AttentionOutput {
  Variable output, weights;  // (…, Lq, Dv), and (…, Lq, Lk) as they are before dropout
};

// A score is a function of queries and keys. One that depends on positions takes that of the first query as well; keys
// are counted from 0.
template <class S>
concept Score = requires(const S& score, const Variable& x) {
  { score(x, x) } -> std::same_as<Variable>;
};
template <class S>
concept PositionedScore = requires(const S& score, const Variable& x, std::int64_t offset) {
  { score(x, x, offset) } -> std::same_as<Variable>;
};
template <class S>
concept AnyScore = Score<S> || PositionedScore<S>;

template <class S>
concept Normalizing = requires(const S& score, const Variable& x, const Tensor& keep) {
  { score.normalize(x, keep) } -> std::same_as<Variable>;
};

template <AnyScore S>
Variable evaluate(const S& score, const Variable& q, const Variable& k, std::int64_t offset) {
  if constexpr (PositionedScore<S>)
    return score(q, k, offset);
  else
    return score(q, k);
}

template <AnyScore S>
Variable normalize(const S& score, const Variable& scores, const Tensor& keep) {
  if constexpr (Normalizing<S>)
    return score.normalize(scores, keep);
  else
    return masked_softmax(scores, 1, keep);
}

// x/Σx in each row, over the pairs that are kept: for scores that are weights already, and not negative. A row in which
// nothing is left is 0.
Variable shares(const Variable& x, const Tensor& keep);

// x where its pair is kept, else 0: what is masked is replaced, not multiplied.
Variable kept(const Variable& x, const Tensor& keep);

// How many keys each query of the scores may see, and 1 where there is none: (…, Lq, 1).
Tensor visible_keys(const Shape& scores, const Tensor& keep);

// weights · v, but a value of weight 0 behind the mask is skipped, so that NaN there reaches nothing.
Variable mix(const Variable& weights, const Variable& values, const Tensor& keep);

// Keys that no query may see, and queries that may see no key, take no part. In their place stand zeros, so that NaN there
// spoils no gradient either: 0·NaN is not 0.
Variable without_unseen_keys(const Variable& keys, const Tensor& keep);       // (…, Lk, D)
Variable without_blind_queries(const Variable& queries, const Tensor& keep);  // (…, Lq, D)

// The shape of the scores of q and k; throws unless they fit each other and v.
Shape scores_shape(const Variable& q, const Variable& k, const Variable& v);

}  // namespace regard::nn
