#pragma once

#include "autograd/attention/fused_attention.h"
#include "autograd/attention/pairs.h"
#include "autograd/attention/shipped_scores.h"
#include "autograd/fused/masked_softmax.h"
#include "nn/attention/formula.h"
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

// Why a score is none of these: it says so itself, as `no_fused_form`, or the score inside of it does.
template <class S>
constexpr const char* why_not_fusible() {
  if constexpr (requires { S::no_fused_form; })
    return S::no_fused_form;
  else if constexpr (requires(const S& score) { score.inner; })
    return why_not_fusible<std::remove_cvref_t<decltype(std::declval<const S&>().inner)>>();
  else
    return "it has no member fused(q, k, offset)";
}

// A score is a function of queries and keys. One that depends on positions takes that of the first query as well; keys
// are counted from 0. A score that says its fused form need say no more: the scores of all pairs follow from it.
// book: score
template <class S>
concept Score = requires(const S& score, const Variable& x) {
  { score(x, x) } -> std::same_as<Variable>;
};
// book: /score
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

// A score that begins with a projection of the keys can make it once for queries that come one after another:
// prepare(k) is what compare(q, prepared) works on, and score(q, k) is compare(q, prepare(k)).
template <class S>
concept PreparingScore = requires(const S& score, const Variable& x) {
  { score.prepare(x) } -> std::same_as<Variable>;
  { score.compare(x, x) } -> std::same_as<Variable>;
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

// A score may turn queries and keys by their positions before its `inner` score compares them, each by itself. Then a
// cache remembers what a key has become, and place(x, offset) is asked once for each: x (…, L, D), of which the first
// row stands at position `offset`.
template <class S>
concept Placing = AnyScore<S> && requires(const S& score, const Variable& x) {
  { score.place(x, std::int64_t{0}) } -> std::same_as<Variable>;
  score.inner;
};

template <AnyScore S>
Variable placed(const S& score, const Variable& x, std::int64_t offset) {
  if constexpr (Placing<S>)
    return score.place(x, offset);
  else
    return x;
}

// The score that compares what is placed.
template <AnyScore S>
const auto& comparing(const S& score) {
  if constexpr (Placing<S>)
    return score.inner;
  else
    return score;
}

// A score of features alone: it is the same for all heads, and does not ask where a query or a key stands. It says so
// by a member blind_to_places = true, which scores that inherit from it have too, unless they say otherwise. Then
// queries of several heads with the same keys may be computed as those of one head, from tiles.
template <class S>
concept BlindToPlaces =
    Fusible<S> && std::remove_cvref_t<decltype(comparing(std::declval<const S&>()))>::blind_to_places;

template <AnyScore S>
Variable normalize(const S& score, const Variable& scores, const Tensor& keep) {
  if constexpr (Normalizing<S>)
    return score.normalize(scores, keep);
  else
    return masked_softmax(scores, 1, keep);
}

}  // namespace regard::nn
