#pragma once

#include "autograd/attention/captured.h"
#include "autograd/attention/fused_score.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "tensor/attention/engine/dot_score.h"
#include "tensor/attention/engine/feature_score.h"
#include "tensor/attention/engine/modified_score.h"

namespace regard {

// A function may bring tiles of its own, by a member tiles<T>(); without one, they are made from the function.
template <class T, class F>
std::shared_ptr<const engine::TileScore<T>> tiles_of(const F& f) {
  if constexpr (requires { f.template tiles<T>(); })
    return f.template tiles<T>();
  else
    return std::make_shared<engine::FeatureTiles<T, F>>(f);
}

// Throws, in the name of the function that was called, if the score is empty.
void require_score(const char* name, const FusedScore& score);

// The score Σ_c f(q_c, k_c, θ_c): a sum over features of one scalar function, with parameters or without. It is written
// once, as one expression of generic arguments, and called with numbers, dual numbers and Variables:
//   auto laplace = score([](auto q, auto k, auto w) { return -w * abs(q - k); });
template <class F>
FusedScore score(const F& f) {
  constexpr bool has_parameters = std::is_invocable_v<F, Variable, Variable, Variable>;
  static_assert(has_parameters || std::is_invocable_v<F, Variable, Variable>,
                "a score is a function (auto q, auto k) or (auto q, auto k, auto parameter)");
  const auto composed = [f](const AllPairs& pairs) {
    // Of all pairs, also where f does without one of them.
    const auto over_features = [&](const Variable& each) {
      return sum(expand(each, broadcast("score", pairs.q.shape(), pairs.k.shape())), -1);
    };
    if constexpr (has_parameters)
      return over_features(f(pairs.q, pairs.k, pairs.parameters));
    else
      return over_features(f(pairs.q, pairs.k));
  };
  return {tiles_of<float>(f), tiles_of<double>(f), composed, has_parameters};
}

// The product of features. Its sum is a matrix product, and that is what its tiles are.
struct Dot {
  double factor = 1;
  auto operator()(const auto& q, const auto& k) const { return factor * (q * k); }
  template <class T>
  std::shared_ptr<const engine::TileScore<T>> tiles() const {
    return std::make_shared<engine::DotTiles<T>>(factor);
  }
};

// A score, modified after it was summed: m(score, query position, key position, head), for what depends on distance or
// is capped.
//   modified(score(Dot{}), [](auto s, auto i, auto j, auto) { return s - 0.5 * abs(i - j); })
template <class M>
FusedScore modified(FusedScore score, const M& m) {
  require_score("modified", score);
  score.f32 = std::make_shared<engine::ModifiedTiles<float, M>>(score.f32, m);
  score.f64 = std::make_shared<engine::ModifiedTiles<double, M>>(score.f64, m);
  score.composed = [m, inner = score.composed](const AllPairs& pairs) {
    return m(inner(pairs), pairs.i, pairs.j, pairs.h);
  };
  score.formula = PairFormula::other;
  return score;
}

// The same with a number that learns: m(score, query position, key position, head, number).
//   modified(score(Dot{}), per_head(slopes), [](auto s, auto i, auto j, auto, auto n) { return s - n * abs(i - j); })
template <class M>
FusedScore modified(FusedScore score, PairNumber number, const M& m) {
  require_score("modified", score);
  const std::size_t line = score.numbers.size();
  const engine::NumberAt at{static_cast<std::int64_t>(line), number.of_tokens};
  score.f32 = std::make_shared<engine::ModifiedTiles<float, M>>(score.f32, m, at);
  score.f64 = std::make_shared<engine::ModifiedTiles<double, M>>(score.f64, m, at);
  score.composed = [m, line, inner = score.composed](const AllPairs& pairs) {
    return m(inner(pairs), pairs.i, pairs.j, pairs.h, pairs.numbers[line]);
  };
  score.numbers.push_back(std::move(number));
  score.formula = PairFormula::other;
  return score;
}

// The sum of two scores of the same queries and keys. One of them may have parameters.
FusedScore operator+(const FusedScore& a, const FusedScore& b);

}  // namespace regard
