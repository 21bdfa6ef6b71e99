#include "autograd/ops/order.h"

#include "autograd/ops/index.h"
#include "autograd/ops/view.h"
#include "autograd/record.h"

namespace regard {

// yᵢ = x₀ + … + xᵢ:  xᵢ takes part in yᵢ and all after it, so its gradient is a sum from the end.
Variable cumsum(const Variable& x, int axis) {
  return record(op("cumsum"), {x}, cumsum(x.value(), axis), [axis](const Variable& grad, const Saved&) {
    return gradients(flip(cumsum(flip(grad, axis), axis), axis));
  });
}

Tensor argsort(const Variable& x, int axis, SortOrder order) { return argsort(x.value(), axis, order); }

// y is x in order:  while no two elements swap, each yⱼ is a copy of one xᵢ, and xᵢ gets its gradient. So the rule is
// that of gather, with the indexes as constants.
Variable sort(const Variable& x, int axis, SortOrder order) { return gather(x, axis, argsort(x.value(), axis, order)); }

// The values are copies of the k largest:  each gives its gradient to the one it was copied from, by the rule of
// gather; all others get 0.
TopKVariables topk(const Variable& x, std::int64_t k, int axis) {
  Tensor indexes = topk(x.value(), k, axis).indexes;
  return {gather(x, axis, indexes), indexes};
}

}  // namespace regard
