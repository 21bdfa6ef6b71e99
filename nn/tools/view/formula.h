#pragma once

#include "tensor/tensor.h"

namespace regard::nn {

// A score as a formula of features, so that whoever has the numbers can work it out for one pair, term by term:
//
//   dot        factor · Σ q·k
//   additive   Σ w·tanh(q + k)
//   gaussian   −factor · w² · Σ (q − k)²
//
// q and k are what the formula compares: (…, Lq, D) and (…, Lk, D), projected where the score projects them first. Of
// most scores there is none to say.
struct ScoreFormula {
  enum class Kind { other, dot, additive, gaussian };

  Kind kind = Kind::other;
  double factor = 1;
  Tensor q = {}, k = {};
  Tensor w = {};  // additive: (D); gaussian: (), or (Lk) for each key its own, or undefined for 1
};

}  // namespace regard::nn
