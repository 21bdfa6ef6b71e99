#pragma once

#include "autograd/attention/fused_attention.h"
#include "autograd/attention/pairs.h"
#include "autograd/attention/shipped_scores.h"
#include "nn/module.h"

namespace regard::nn {

class AnyScore;

// What all attention has in common, and where one kind differs from another.
//
//   scores  = score(q, k)               q (…, Lq, Dq), k (…, Lk, Dk) → (…, Lq, Lk): where kinds differ
//   weights = masked_softmax(scores)    over the keys of each query; a score may bring a normalize() of its own
//   output  = dropout(weights) · v      v (…, Lk, Dv) → (…, Lq, Dv)
//
// These three lines are Attention::composed, in attention.cpp. Below is what a score may offer.

struct AttentionOutput {
  Variable output, weights;  // (…, Lq, Dv), and (…, Lq, Lk) as they are before dropout
};

// How it is computed: the caller chooses. Both methods give the same output and the same gradients.
enum class Method {
  composed,  // returns the weights of all pairs, and holds them
  fused,     // returns no weights; memory grows with Lq + Lk, not with Lq·Lk. For scores with a fused form
};

// A score is a function of queries and keys.
// book: score
template <class S>
concept Score = requires(const S& score, const Variable& x) {
  { score(x, x) } -> std::same_as<Variable>;
};
// book: /score

// A score that depends on positions also takes the position of the first query. The first key has position 0.
template <class S>
concept PositionedScore = requires(const S& score, const Variable& x, std::int64_t offset) {
  { score(x, x, offset) } -> std::same_as<Variable>;
};

// A score that can be computed from tiles (blocks of pairs) names a fused score, and the q and k to give to it. That is
// enough: the scores of all pairs follow. It gives a list if the weights are a sum of softmaxes, each times a factor,
// or if a softmax has a sink (see below).
struct FusedForm {
  FusedScore score;
  Variable q, k, parameters = {};
};
struct FusedTerm {
  FusedForm form;
  Variable factor = {};  // undefined: 1
  Variable sink = {};    // (H): e^sink is a part of each sum Σ eˢ of its head, and belongs to no key; undefined: none
};
template <class S, class Form>
concept HasFused = requires(const S& score, const Variable& x) {
  { score.fused(x, x, std::int64_t{0}) } -> std::same_as<Form>;
};
template <class S>
concept Fusible = HasFused<S, FusedForm> || HasFused<S, std::vector<FusedTerm>>;

// A score whose weights are no softmax makes them itself.
template <class S>
concept Normalizing = requires(const S& score, const Variable& x, const Tensor& keep) {
  { score.normalize(x, keep) } -> std::same_as<Variable>;
};

// A score that changes queries and keys, one by one and by their positions, before its `inner` score compares them.
// Each key is changed once, and a cache keeps the result. The first row of x (…, L, D) stands at `position`. If the
// inner score places as well, it does so afterwards.
template <class S>
concept Placing = requires(const S& score, const Variable& x, std::int64_t position) {
  { score.place_query(x, position) } -> std::same_as<Variable>;
  { score.place_key(x, position) } -> std::same_as<Variable>;
  requires std::same_as<std::remove_cvref_t<decltype(score.inner)>, AnyScore>;
};

template <class S>
concept KindOfScore = Score<S> || PositionedScore<S> || HasFused<S, FusedForm> || Placing<S>;

}  // namespace regard::nn
