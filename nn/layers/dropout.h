#pragma once

#include "nn/module.h"

namespace regard::nn {

// In training each number is dropped (set to 0) with probability p, and the others grow by 1/(1 − p), so that the mean
// stays what it was. In eval, and for p = 0, nothing happens.
//
// The layer has a stream of random numbers of its own, so what it drops depends on its seed and on what it has drawn
// before, and on nothing else in the program. A copy continues the same stream: give each layer its own seed.
struct Dropout {
  double p;
  Generator generator;
  bool training = true;

  Dropout(double probability, std::uint64_t seed);
  Dropout(double probability, Generator& seeds);  // the seed is the next number of `seeds`
  void visit(Visitor& v) {
    v("generator", generator);
    v("training", training);
  }
  Variable operator()(const Variable& x);
};

}  // namespace regard::nn
