#pragma once

#include "nn/all.h"
#include "nn/tools/view/recording.h"

#include <cmath>

// What the tests of recordings share.
namespace regard::nn {

inline MultiHeadOptions heads_of(Method method, double dropout = 0) {
  return {.model = 8, .heads = 2, .dropout = dropout, .dtype = DType::f64, .method = method};
}

// The formula of a recorded attention for one pair, in plain numbers.
inline double by_hand(const ScoreFormula& formula, std::int64_t head, std::int64_t i, std::int64_t j) {
  double sum = 0;
  for (std::int64_t c = 0; c < formula.q.size(2); ++c) {
    const double q = formula.q.at({head, i, c}), k = formula.k.at({head, j, c});
    if (formula.kind == ScoreFormula::Kind::dot) sum += formula.factor * q * k;
    if (formula.kind == ScoreFormula::Kind::additive) sum += formula.w.at({c}) * std::tanh(q + k);
    if (formula.kind == ScoreFormula::Kind::gaussian) {
      const double w = !formula.w.defined() ? 1 : formula.w.rank() == 0 ? formula.w.item() : formula.w.at({j});
      sum -= formula.factor * w * w * (q - k) * (q - k);
    }
  }
  return sum;
}

}  // namespace regard::nn
