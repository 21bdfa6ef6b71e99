#include "autograd/ops/pointwise.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/record.h"
#include "tensor/ops/arithmetic.h"

#include <numbers>

namespace regard {

// y = eˣ:  dy/dx = y
Variable exp(const Variable& x) {
  return record(op("exp"), {x}, exp(x.value()),
                [](const Variable& grad, const Saved& saved) { return gradients(grad * saved.output); });
}

// y = log x:  dy/dx = 1/x
Variable log(const Variable& x) {
  return record(op("log"), {x}, log(x.value()),
                [](const Variable& grad, const Saved& saved) { return gradients(grad / saved.input()); });
}

// y = √x, y² = x:  2y·dy = dx
Variable sqrt(const Variable& x) {
  return record(op("sqrt"), {x}, sqrt(x.value()),
                [](const Variable& grad, const Saved& saved) { return gradients(grad / (2 * saved.output)); });
}

// y = x^(−½):  dy/dx = −½·x^(−3/2) = −½·y³
Variable rsqrt(const Variable& x) {
  return record(op("rsqrt"), {x}, rsqrt(x.value()), [](const Variable& grad, const Saved& saved) {
    return gradients(grad * (-0.5 * saved.output * square(saved.output)));
  });
}

// y = x²:  dy/dx = 2x
Variable square(const Variable& x) {
  return record(op("square"), {x}, square(x.value()),
                [](const Variable& grad, const Saved& saved) { return gradients(grad * (2 * saved.input())); });
}

// y = sin x:  dy/dx = cos x
Variable sin(const Variable& x) {
  return record(op("sin"), {x}, sin(x.value()),
                [](const Variable& grad, const Saved& saved) { return gradients(grad * cos(saved.input())); });
}

// y = cos x:  dy/dx = −sin x
Variable cos(const Variable& x) {
  return record(op("cos"), {x}, cos(x.value()),
                [](const Variable& grad, const Saved& saved) { return gradients(-(grad * sin(saved.input()))); });
}

// book: tanh
// y = tanh x:  dy/dx = 1 − tanh²x, so the rule needs only the output.
Variable tanh(const Variable& x) {
  return record(op("tanh"), {x}, tanh(x.value()),
                [](const Variable& grad, const Saved& saved) { return gradients(grad * (1 - square(saved.output))); });
}
// book: /tanh

// y = 2/√π ∫₀ˣ e^(−t²) dt:  dy/dx is the integrand at x.
Variable erf(const Variable& x) {
  return record(op("erf"), {x}, erf(x.value()), [](const Variable& grad, const Saved& saved) {
    return gradients(grad * (2 * std::numbers::inv_sqrtpi * exp(-square(saved.input()))));
  });
}

// y = 1/(1 + e⁻ˣ):  dy/dx = e⁻ˣ/(1 + e⁻ˣ)² = y·(1 − y)
Variable sigmoid(const Variable& x) {
  return record(op("sigmoid"), {x}, sigmoid(x.value()), [](const Variable& grad, const Saved& saved) {
    return gradients(grad * (saved.output * (1 - saved.output)));
  });
}

// y = log(1 + eˣ):  dy/dx = eˣ/(1 + eˣ) = σ(x)
Variable softplus(const Variable& x) {
  return record(op("softplus"), {x}, softplus(x.value()),
                [](const Variable& grad, const Saved& saved) { return gradients(grad * sigmoid(saved.input())); });
}

// y = max(x, 0):  dy/dx = 1 for x > 0, else 0 (by where, since 0·g would be NaN for g = ∞). At 0 itself any slope from
// 0 to 1 would do, and 0 is the custom.
Variable relu(const Variable& x) {
  return record(op("relu"), {x}, relu(x.value()), [](const Variable& grad, const Saved& saved) {
    return gradients(where(greater(saved.input(), 0.0), grad, 0));
  });
}

// y = x for x > 0, else c·x:  the slope is 1 or c.
Variable leaky_relu(const Variable& x, double slope) {
  return record(op("leaky_relu"), {x}, leaky_relu(x.value(), slope), [slope](const Variable& grad, const Saved& saved) {
    return gradients(where(greater(saved.input(), 0.0), grad, slope * grad));
  });
}

// y = x·σ(x):  dy/dx = σ + x·σ·(1 − σ)
Variable silu(const Variable& x) {
  return record(op("silu"), {x}, silu(x.value()), [](const Variable& grad, const Saved& saved) {
    const Variable s = sigmoid(saved.input());
    return gradients(grad * (s * (1 + saved.input() * (1 - s))));
  });
}

// y = |x|:  dy/dx = sign x, and 0 at 0.
Variable abs(const Variable& x) {
  return record(op("abs"), {x}, abs(x.value()), [](const Variable& grad, const Saved& saved) {
    const Tensor& in = saved.input().value();
    return gradients(grad * subtract(greater(in, 0), less(in, 0)));
  });
}

// y = min(max(x, low), high):  dy/dx = 1 between the bounds and on them, 0 outside.
Variable clamp(const Variable& x, double low, double high) {
  return record(op("clamp"), {x}, clamp(x.value(), low, high), [low, high](const Variable& grad, const Saved& saved) {
    const Tensor& in = saved.input().value();
    return gradients(where(multiply(greater_equal(in, low), less_equal(in, high)), grad, 0));
  });
}

Tensor is_nan(const Variable& x) { return is_nan(x.value()); }

// y = x in another dtype:  the gradient goes back in the dtype of x.
Variable to(const Variable& x, DType dtype) {
  if (x.requires_grad() && !is_float(dtype))
    fail<DTypeError>("to: no gradient flows through {} (convert x.value() or detach(x))", dtype);
  return record(op("to"), {x}, to(x.value(), dtype),
                [](const Variable& grad, const Saved& saved) { return gradients(to(grad, saved.input().dtype())); });
}

}  // namespace regard
