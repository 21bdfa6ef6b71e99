#include "autograd/ops/reduce.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/order.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "autograd/record.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

#include <cmath>

namespace regard {
namespace {

// What was reduced, with its axes back as size 1, so that it broadcasts against the input again.
Variable with_axes(const Variable& reduced, const Shape& input, const ReducedAxes& axes) {
  return reshape(reduced, reduced_shape(input, axes.marks("reduce", input), keepdim));
}

// y = the largest (smallest) x:  only where x = y does it matter; equal ones share the gradient.
graph::Gradients to_the_chosen(const Variable& grad, const Saved& saved, const ReducedAxes& axes) {
  const Tensor& x = saved.input().value();
  const Tensor y = with_axes(detach(saved.output), x.shape(), axes).value();
  const Tensor chosen = equal(x, y), shares = divide(chosen, sum(chosen, axes, keepdim));
  const Variable wide = expand(with_axes(grad, x.shape(), axes), x.shape());
  return gradients(where(shares, wide * shares, 0));  // 0 itself, where g may be ∞
}

}  // namespace

// y = Σ x:  every element has the influence 1.
Variable sum(const Variable& x, const ReducedAxes& axes, KeepDim keep) {
  return record(op("sum"), {x}, sum(x.value(), axes, keep), [axes](const Variable& grad, const Saved& saved) {
    const Shape& shape = saved.input().shape();
    return gradients(expand(with_axes(grad, shape, axes), shape));
  });
}

// y = Σ x over the axes along which x was broadcast:  each element of x has the influence 1 on the element that it was
// added to. The rules of the two steps give it that gradient.
Variable sum_to(const Variable& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return reshape(sum(x, broadcast_axes(x.shape(), shape), keepdim), shape);
}

// y = Π x:  ∂y/∂xᵢ is the product of all others. It is not computed as y/xᵢ, which is 0/0 where xᵢ is 0, but as what
// stands before xᵢ times what stands behind it. So where one x is 0, it alone has a gradient; where two are, none has.
Variable prod(const Variable& x, const ReducedAxes& axes, KeepDim keep) {
  return record(op("prod"), {x}, prod(x.value(), axes, keep), [axes](const Variable& grad, const Saved& saved) {
    const Shape &shape = saved.input().shape(), marks = axes.marks("prod", shape);
    std::vector<int> order, back(static_cast<std::size_t>(shape.rank()));  // what is reduced comes last, as one line
    for (const bool reduced : {false, true})
      for (int axis = 0; axis < shape.rank(); ++axis)
        if ((marks[axis] != 0) == reduced) {
          back[static_cast<std::size_t>(axis)] = static_cast<int>(order.size());
          order.push_back(axis);
        }
    Shape lines = reduced_shape(shape, marks, KeepDim::no);
    lines.push_back(reduced_count("prod", shape, axes));
    const Variable sorted = permute(saved.input(), order), line = reshape(sorted, lines);
    const Variable others = products_before(line, -1) * flip(products_before(flip(line, -1), -1), -1);
    return gradients(with_axes(grad, shape, axes) * permute(reshape(others, sorted.shape()), back));
  });
}

// y = Σ x/n:  each element has the influence 1/n, as the rules of sum and divide say.
Variable mean(const Variable& x, const ReducedAxes& axes, KeepDim keep) {
  const auto count = reduced_count("mean", x.shape(), axes);
  require_float("mean", x.dtype());
  return divide(sum(x, axes, keep), static_cast<double>(count));
}

// y = Σ (x − μ)²/(n − c), μ = mean x:  ∂y/∂xᵢ = 2(xᵢ − μ)/(n − c). xᵢ also moves μ, but that adds nothing, as the
// deviations x − μ have the sum 0. The rules of the steps give the same.
Variable var(const Variable& x, const ReducedAxes& axes, KeepDim keep, int correction) {
  const double count = static_cast<double>(reduced_count("var", x.shape(), axes) - correction);
  return divide(sum(square(x - mean(x, axes, keepdim)), axes, keep), std::max(0.0, count));
}

// y = the largest x:  moving it moves y as much, and moving a smaller one does nothing. Of several largest each gets an
// equal share of the gradient (to_the_chosen, above).
Variable max(const Variable& x, const ReducedAxes& axes, KeepDim keep) {
  return record(op("max"), {x}, max(x.value(), axes, keep),
                [axes](const Variable& grad, const Saved& saved) { return to_the_chosen(grad, saved, axes); });
}

// y = the smallest x:  moving it moves y as much, and moving a larger one does nothing. Equal ones share, as for max.
Variable min(const Variable& x, const ReducedAxes& axes, KeepDim keep) {
  return record(op("min"), {x}, min(x.value(), axes, keep),
                [axes](const Variable& grad, const Saved& saved) { return to_the_chosen(grad, saved, axes); });
}

// y = log Σ eˣ:  ∂y/∂xᵢ = e^(xᵢ)/Σ eˣ, which is softmax. It is made of differences from the largest, as e^(xᵢ − y)
// would have the error of a large y. If the largest is −∞, all gradients are 0; if it is ∞, all but its own are.
Variable logsumexp(const Variable& x, const ReducedAxes& axes, KeepDim keep) {
  return record(op("logsumexp"), {x}, logsumexp(x.value(), axes, keep),
                [axes](const Variable& grad, const Saved& saved) {
                  const Variable& in = saved.input();
                  if (in.numel() == 0) return gradients(in);
                  const Tensor most = max(in.value(), axes, keepdim);
                  const Variable shift = where(equal(most, -INFINITY), 0, Variable(most)), powers = exp(in - shift);
                  const Variable total = where(equal(abs(most), INFINITY), 1, sum(powers, axes, keepdim));
                  return gradients(with_axes(grad, in.shape(), axes) * (powers / total));
                });
}

Tensor argmax(const Variable& x, int axis, KeepDim keep) { return argmax(x.value(), axis, keep); }
Tensor argmin(const Variable& x, int axis, KeepDim keep) { return argmin(x.value(), axis, keep); }
Tensor all(const Variable& x, const ReducedAxes& axes, KeepDim keep) { return all(x.value(), axes, keep); }
Tensor any(const Variable& x, const ReducedAxes& axes, KeepDim keep) { return any(x.value(), axes, keep); }

}  // namespace regard
