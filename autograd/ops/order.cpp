#include "autograd/ops/order.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "autograd/record.h"

namespace regard {

// yᵢ = x₀ + … + xᵢ:  xᵢ takes part in yᵢ and all after it, so its gradient is a sum from the end.
Variable cumsum(const Variable& x, int axis) {
  return record(op("cumsum"), {x}, cumsum(x.value(), axis), [axis](const Variable& grad, const Saved&) {
    return gradients(flip(cumsum(flip(grad, axis), axis), axis));
  });
}

// x₀·…·xᵢ₋₁ for each i, and 1 for the first.
Variable products_before(const Variable& x, int axis) {
  std::vector<AxisPadding> widths(static_cast<std::size_t>(x.rank()));
  widths[static_cast<std::size_t>(axis_of("cumprod", axis, x.shape()))].before = 1;
  return cumprod(slice(pad(x, widths, 1), axis, 0, x.size(axis)), axis);
}

namespace {

// sᵢ = gᵢ + xᵢ₋₁·sᵢ₋₁, by doubling. When sᵢ has the terms gᵢ … gᵢ₋ₘ₊₁, and fᵢ = xᵢ₋₁·…·xᵢ₋ₘ for i ≥ m, then
// sᵢ + fᵢ·sᵢ₋ₘ has twice as many, and fᵢ·fᵢ₋ₘ is the factor for those.
Variable carried(const Variable& g, const Variable& x, int axis) {
  const std::int64_t n = x.size(axis);
  Variable s = g, f = slice(x, axis, 0, n - 1);
  for (std::int64_t m = 1; m < n; m *= 2) {
    s = cat({slice(s, axis, 0, m), slice(s, axis, m) + f * slice(s, axis, 0, n - m)}, axis);
    if (2 * m < n) f = slice(f, axis, m) * slice(f, axis, 0, n - 2 * m);
  }
  return s;
}

}  // namespace

// yₖ = x₀·…·xₖ:  x of i takes part in y of i and all after it, ∂yₖ/∂xᵢ = (x₀·…·xᵢ₋₁)·(xᵢ₊₁·…·xₖ). To divide yₖ by xᵢ
// would be 0/0 where xᵢ is 0. So ∂xᵢ = (x₀·…·xᵢ₋₁)·sᵢ, where sᵢ = gᵢ + gᵢ₊₁·xᵢ₊₁ + gᵢ₊₂·xᵢ₊₁·xᵢ₊₂ + … = gᵢ + xᵢ₊₁·sᵢ₊₁
// is summed from the end.
Variable cumprod(const Variable& x, int axis) {
  return record(op("cumprod"), {x}, cumprod(x.value(), axis), [axis](const Variable& grad, const Saved& saved) {
    const Variable& in = saved.input();
    if (!is_recording()) return gradients(cumprod_gradient(grad.value(), in.value(), axis));
    return gradients(products_before(in, axis) * flip(carried(flip(grad, axis), flip(in, axis), axis), axis));
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
