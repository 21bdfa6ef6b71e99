#pragma once

#include "autograd/ops/arithmetic.h"
#include "nn/layers/dropout.h"
#include "nn/transformer/norm.h"

namespace regard::nn {

enum class NormPlacement {
  pre,   // x + f(norm(x)): the sum is never normalised, so gradients have a straight way back past all layers
  post,  // norm(x + f(x)), as in "Attention is all you need": harder to train when it is deep, and wants a warm-up
};

// What stands around each part f of a layer: the part adds to its input, and a norm keeps sums in bounds.
//
//   pre:  y = x + dropout(f(norm(x)))          post:  y = norm(x + dropout(f(x)))
//
// What is added is x itself, neither normalised nor projected.
struct Residual {
  Norm norm;
  Dropout dropout;
  NormPlacement placement;

  // Under the name of the part: norm_attention, dropout_attention.
  void visit(const std::string& part, Visitor& v) {
    v("norm_" + part, norm);
    v("dropout_" + part, dropout);
  }

  // book: residual
  template <class F>
  Variable operator()(const Variable& x, F&& f) {
    if (placement == NormPlacement::pre) return x + dropout(f(norm(x)));
    return norm(x + dropout(f(x)));
  }
  // book: /residual
};

}  // namespace regard::nn
