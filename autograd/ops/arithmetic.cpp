#include "autograd/ops/arithmetic.h"

#include "autograd/ops/broadcast.h"
#include "autograd/ops/pointwise.h"
#include "autograd/record.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"

namespace regard {

// y = a + b:  ∂y/∂a = ∂y/∂b = 1
Variable add(const Variable& a, const Variable& b) {
  if (const auto same = stretched("add", a, b)) return add(same->a, same->b);
  return record(op("add"), {a, b}, add(a.value(), b.value()),
                [](const Variable& grad, const Saved&) { return gradients(grad, grad); });
}

// y = a − b:  ∂y/∂a = 1, ∂y/∂b = −1
Variable subtract(const Variable& a, const Variable& b) {
  if (const auto same = stretched("subtract", a, b)) return subtract(same->a, same->b);
  return record(op("subtract"), {a, b}, subtract(a.value(), b.value()),
                [](const Variable& grad, const Saved&) { return gradients(grad, -grad); });
}

// y = a·b:  ∂y/∂a = b, ∂y/∂b = a
Variable multiply(const Variable& a, const Variable& b) {
  if (const auto same = stretched("multiply", a, b)) return multiply(same->a, same->b);
  return record(op("multiply"), {a, b}, multiply(a.value(), b.value()), [](const Variable& grad, const Saved& saved) {
    return gradients(saved.wants(0) ? grad * saved.inputs[1] : Variable(),
                     saved.wants(1) ? grad * saved.inputs[0] : Variable());
  });
}

// y = a/b:  ∂y/∂a = 1/b, ∂y/∂b = −a/b² = −y/b
Variable divide(const Variable& a, const Variable& b) {
  if (const auto same = stretched("divide", a, b)) return divide(same->a, same->b);
  return record(op("divide"), {a, b}, divide(a.value(), b.value()), [](const Variable& grad, const Saved& saved) {
    const Variable over_b = grad / saved.inputs[1];
    return gradients(over_b, saved.wants(1) ? -(over_b * saved.output) : Variable());
  });
}

// y = aᵇ = e^(b log a):  ∂y/∂a = b·aᵇ⁻¹, ∂y/∂b = y·log a. At a = 0 both may be 0·∞. The limit is 0: for b = 0 because y
// is 1 for all a, and in the second rule because y stays 0 while b > 0 moves (by custom also at b = 0). So there a is
// replaced by 1 before the power and the logarithm are taken: what never becomes ∞ cannot spoil a higher derivative.
Variable pow(const Variable& base, const Variable& exponent) {
  if (const auto same = stretched("pow", base, exponent)) return pow(same->a, same->b);
  return record(op("pow"), {base, exponent}, pow(base.value(), exponent.value()),
                [](const Variable& grad, const Saved& saved) {
                  const Variable &a = saved.inputs[0], &b = saved.inputs[1];
                  Variable to_a, to_b;
                  if (saved.wants(0)) to_a = grad * b * pow(where(equal(b, 0.0), 1, a), b - 1);
                  if (saved.wants(1)) {
                    const Tensor stuck = multiply(equal(a, 0.0), greater_equal(b, 0.0));
                    to_b = grad * saved.output * log(where(stuck, 1, a));
                  }
                  return gradients(to_a, to_b);
                });
}

namespace {

Variable number_like(const Variable& x, double number, const char* asking = __builtin_FUNCTION()) {
  return full({}, number, x.dtype(asking));
}

// The gradient where the mask is 1, half of it where it is ½, and 0 itself elsewhere: 0·g would be NaN where g is ∞.
Variable masked(const Variable& grad, const Tensor& mask) { return where(mask, grad * mask, 0); }

// The gradients of what chooses one of two numbers, given where it was the first. Where they are equal every split is a
// subgradient; half each.
graph::Gradients to_the_chosen(const Variable& grad, const Saved& saved, const Tensor& is_first) {
  const Tensor first = add(is_first, multiply(equal(saved.inputs[0], saved.inputs[1]), 0.5));
  return gradients(masked(grad, first), masked(grad, subtract(1, first)));
}

// y = c·x + d:  ∂y/∂x = c. Every operation with a plain number is one of these; each computes its value its own way.
Variable affine(const Variable& x, Tensor value, double slope) {
  return record(op("affine"), {x}, std::move(value), [slope](const Variable& grad, const Saved&) {
    return gradients(slope == 1 ? grad : multiply(grad, slope));
  });
}

}  // namespace

// y = max(a, b):  the gradient goes to the larger one, and half of it to each where they are equal.
Variable maximum(const Variable& a, const Variable& b) {
  if (const auto same = stretched("maximum", a, b)) return maximum(same->a, same->b);
  return record(op("maximum"), {a, b}, maximum(a.value(), b.value()), [](const Variable& grad, const Saved& saved) {
    return to_the_chosen(grad, saved, greater(saved.inputs[0], saved.inputs[1]));
  });
}

// y = min(a, b):  the gradient goes to the smaller one, and half of it to each where they are equal, as for maximum.
Variable minimum(const Variable& a, const Variable& b) {
  if (const auto same = stretched("minimum", a, b)) return minimum(same->a, same->b);
  return record(op("minimum"), {a, b}, minimum(a.value(), b.value()), [](const Variable& grad, const Saved& saved) {
    return to_the_chosen(grad, saved, less(saved.inputs[0], saved.inputs[1]));
  });
}

// y = a − n·b, n = ⌊a/b⌋:  between its jumps n is constant, so ∂y/∂a = 1 and ∂y/∂b = −n = (y − a)/b.
Variable remainder(const Variable& a, const Variable& b) {
  if (const auto same = stretched("remainder", a, b)) return remainder(same->a, same->b);
  return record(op("remainder"), {a, b}, remainder(a.value(), b.value()), [](const Variable& grad, const Saved& saved) {
    const Tensor &whole = saved.inputs[0].value(), &step = saved.inputs[1].value();
    return gradients(grad, saved.wants(1) ? grad * divide(saved.output.value() - whole, step) : Variable());
  });
}

Variable add(const Variable& x, double d) { return affine(x, add(x.value(), d), 1); }
Variable subtract(const Variable& x, double d) { return affine(x, subtract(x.value(), d), 1); }
Variable subtract(double d, const Variable& x) { return affine(x, subtract(d, x.value()), -1); }
Variable multiply(const Variable& x, double c) { return affine(x, multiply(x.value(), c), c); }
Variable divide(const Variable& x, double c) { return affine(x, divide(x.value(), c), 1 / c); }
Variable divide(double c, const Variable& x) { return divide(number_like(x, c), x); }
Variable maximum(const Variable& x, double c) { return maximum(x, number_like(x, c)); }
Variable minimum(const Variable& x, double c) { return minimum(x, number_like(x, c)); }
Variable remainder(const Variable& x, double c) { return remainder(x, number_like(x, c)); }

// y = xᶜ:  ∂y/∂x = c·xᶜ⁻¹, and 0 for c = 0 even at x = 0.
Variable pow(const Variable& x, double c) {
  return record(op("pow"), {x}, pow(x.value(), c), [c](const Variable& grad, const Saved& saved) {
    if (c == 0) return gradients(zeros_like(grad.value()));
    return gradients(grad * (c * pow(saved.input(), c - 1)));
  });
}

// y = a where the condition holds, else b:  each gets the gradient of the elements it gave. The others get 0 itself,
// not 0·g: a NaN there stays there.
Variable where(const Tensor& condition, const Variable& x, const Variable& z) {
  const Shape shape = broadcast("where", condition.shape(), broadcast("where", x.shape(), z.shape()));
  const Variable a = expand(x, shape), b = expand(z, shape);
  return record(op("where"), {a, b}, where(condition, a.value(), b.value()),
                [condition](const Variable& grad, const Saved&) {
                  return gradients(where(condition, grad, 0), where(condition, 0, grad));
                });
}

Variable where(const Tensor& condition, const Variable& a, double b) {
  return where(condition, a, number_like(a, b, "where"));
}
Variable where(const Tensor& condition, double a, const Variable& b) {
  return where(condition, number_like(b, a, "where"), b);
}

Tensor equal(const Variable& a, const Variable& b) { return equal(a.value(), b.value()); }
Tensor not_equal(const Variable& a, const Variable& b) { return not_equal(a.value(), b.value()); }
Tensor less(const Variable& a, const Variable& b) { return less(a.value(), b.value()); }
Tensor less_equal(const Variable& a, const Variable& b) { return less_equal(a.value(), b.value()); }
Tensor greater(const Variable& a, const Variable& b) { return greater(a.value(), b.value()); }
Tensor greater_equal(const Variable& a, const Variable& b) { return greater_equal(a.value(), b.value()); }

Tensor equal(const Variable& x, double c) { return equal(x.value(), c); }
Tensor not_equal(const Variable& x, double c) { return not_equal(x.value(), c); }
Tensor less(const Variable& x, double c) { return less(x.value(), c); }
Tensor less_equal(const Variable& x, double c) { return less_equal(x.value(), c); }
Tensor greater(const Variable& x, double c) { return greater(x.value(), c); }
Tensor greater_equal(const Variable& x, double c) { return greater_equal(x.value(), c); }

}  // namespace regard
