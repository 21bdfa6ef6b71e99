#include "autograd/fused/masked_softmax.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/twin.h"
#include "tensor/fused/masked_softmax.h"
#include "tensor/ops/arithmetic.h"

#include <cmath>

namespace regard {

// What is masked is replaced before anything is computed with it, so that NaN there goes nowhere. The largest number is
// subtracted as a constant: it does not change the result.
Variable masked_softmax_composed(const Variable& x, double scale, const Tensor& keep) {
  if (x.numel() == 0) return scale * x;
  const Variable largest(max(where(keep, multiply(x.value(), scale), -INFINITY), -1, keepdim));
  const Variable powers = where(keep, exp(where(keep, scale * x - largest, 0)), 0);
  const Variable total = sum(powers, -1, keepdim);
  return where(keep, powers / where(equal(total, 0.0), 1, total), 0);
}

// book: masked_softmax
// yᵢ = e^(s·xᵢ)/Σⱼ e^(s·xⱼ) over the elements kept:  ∂x = s·y·(g − Σ g·y), as for softmax; y, and so the gradient, is 0
// elsewhere.
Variable masked_softmax(const Variable& x, double scale, const Tensor& keep) {
  return record(op("masked_softmax"), {x}, masked_softmax(x.value(), scale, keep),
                with_twin([=](const graph::Inputs& in) { return masked_softmax_composed(in[0], scale, keep); },
                          [=](const Variable& grad, const Saved& saved) {
                            return gradients(masked_softmax_gradient(grad.value(), saved.output.value(), scale, keep));
                          }));
}
// book: /masked_softmax

}  // namespace regard
