#pragma once

#include "autograd/variable.h"

#include <optional>

namespace regard::nn {

// a(q, k) = scale · q·k          q (…, Lq, D), k (…, Lk, D) → (…, Lq, Lk)
//
// With independent components of mean 0 and variance 1 the variance of q·k is D. The default scale 1/√D restores 1:
// without it, large D pushes softmax to where one weight is 1 and all slopes are 0.
struct ScaledDotProduct {
  std::optional<double> scale = {};  // default 1/√D

  Variable operator()(const Variable& q, const Variable& k) const;
};

}  // namespace regard::nn
