#pragma once

#include "autograd/ops/view.h"

namespace regard {

// Broadcasting is an operation of its own: binary operations expand their operands first, so their rules never meet
// two shapes. What an expand repeats, its rule sums up again.
struct SameShape {
  Variable a, b;
};

inline SameShape broadcast_operands(const char* operation, const Variable& a, const Variable& b) {
  require_same_dtype(operation, a.value(), b.value());
  if (a.shape() == b.shape()) return {a, b};
  const Shape shape = broadcast(operation, a.shape(), b.shape());
  return {expand(a, shape), expand(b, shape)};
}

}  // namespace regard
