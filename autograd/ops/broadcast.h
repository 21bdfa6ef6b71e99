#pragma once

#include "autograd/ops/view.h"

#include <optional>

namespace regard {

// Broadcasting is an operation of its own: if the operands differ in shape they are expanded first, so the rules of
// binary operations never meet two shapes. What an expand repeats, its rule sums up again.
//   if (const auto same = stretched("add", a, b)) return add(same->a, same->b);
struct SameShape {
  Variable a, b;
};

inline std::optional<SameShape> stretched(const char* operation, const Variable& a, const Variable& b) {
  require_same_dtype(operation, a.value(operation), b.value(operation));
  if (a.shape() == b.shape()) return std::nullopt;
  const Shape shape = broadcast(operation, a.shape(), b.shape());
  return SameShape{expand(a, shape), expand(b, shape)};
}

}  // namespace regard
