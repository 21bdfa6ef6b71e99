#include "autograd/ops/softmax.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/record.h"

namespace regard {

// book: softmax
// yᵢ = e^(xᵢ)/Σⱼ e^(xⱼ):  ∂yᵢ/∂xⱼ = yᵢ·(δᵢⱼ − yⱼ), so  Σᵢ gᵢ·∂yᵢ/∂xⱼ = yⱼ·(gⱼ − Σᵢ gᵢ·yᵢ).
Variable softmax(const Variable& x, int axis) {
  return record(op("softmax"), {x}, softmax(x.value(), axis), [axis](const Variable& grad, const Saved& saved) {
    const Variable& y = saved.output;
    if (!is_recording()) return gradients(softmax_gradient(grad.value(), y.value(), axis));
    return gradients(y * (grad - sum(grad * y, axis, keepdim)));
  });
}
// book: /softmax

// yᵢ = xᵢ − log Σⱼ e^(xⱼ):  ∂yᵢ/∂xⱼ = δᵢⱼ − e^(yⱼ), so  Σᵢ gᵢ·∂yᵢ/∂xⱼ = gⱼ − e^(yⱼ)·Σᵢ gᵢ.
Variable log_softmax(const Variable& x, int axis) {
  return record(op("log_softmax"), {x}, log_softmax(x.value(), axis), [axis](const Variable& grad, const Saved& saved) {
    const Variable& y = saved.output;
    if (!is_recording()) return gradients(log_softmax_gradient(grad.value(), y.value(), axis));
    return gradients(grad - exp(y) * sum(grad, axis, keepdim));
  });
}

}  // namespace regard
