#pragma once

#include "autograd/ops/arithmetic.h"
#include "nn/layers/dropout.h"
#include "nn/transformer/norm.h"

namespace regard::nn {

enum class NormPlacement {
  pre,   // x + f(norm(x)): the sum is never normalised, so gradients have a straight way back past all layers
  post,  // norm(x + f(x)), as in "Attention is all you need": harder to train when it is deep, and wants a warm-up
  both,  // x + norm₂(f(norm(x))), as in Gemma 2 and 3: what a part adds is normalised, too
};

// What stands around each part f of a layer: the part adds to its input, and a norm keeps sums in bounds.
//
//   pre:  y = x + dropout(f(norm(x)))          post:  y = norm(x + dropout(f(x)))
//
// x itself goes through, neither normalised nor projected, unless the norm comes last.
struct Residual {
  Norm norm;
  Dropout dropout;
  NormPlacement placement;
  std::optional<Norm> after = {};  // norm₂, where there are both

  // Under the name of the part: norm_attention, norm_after_attention, dropout_attention.
  void visit(const std::string& part, Visitor& v) {
    v("norm_" + part, norm);
    v("norm_after_" + part, after);
    v("dropout_" + part, dropout);
  }

  // book: residual
  template <class F>
  Variable operator()(const Variable& x, F&& f) {
    if (placement == NormPlacement::post) return norm(x + dropout(f(x)));
    const Variable added = f(norm(x));
    return x + dropout(after ? (*after)(added) : added);
  }
  // book: /residual
};

}  // namespace regard::nn
