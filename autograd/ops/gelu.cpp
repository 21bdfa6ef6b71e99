#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/record.h"

#include <cmath>
#include <numbers>

// gelu in its two forms; the other functions are in pointwise.cpp.
namespace regard {
namespace {

// y = x·Φ(x):  dy/dx = Φ(x) + x·φ(x), with φ(x) = e^(−x²/2)/√(2π). Φ(x) is ½(1 + erf(x/√2)). Below −1 that sum would
// lose its digits, and gelu(x)/x is used.
Variable gelu_erf(const Variable& x) {
  return record(op("gelu"), {x}, gelu(x.value(), GeluForm::erf), [](const Variable& grad, const Saved& saved) {
    const Variable& in = saved.input();
    const Variable far = minimum(in, -1), middle = 0.5 * (1 + erf(in / std::numbers::sqrt2));
    const Variable distribution = where(less(in, -1.0), saved.output / far, middle);
    const Variable density = exp(-0.5 * square(in)) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    return gradients(grad * (distribution + in * density));
  });
}

// y = ½x·(1 + tanh u), u = √(2/π)·(x + 0.044715x³). That is x·s with s = σ(2u), which keeps its digits where tanh u is
// near −1:  dy/dx = s + x·s·(1 − s)·2u′. That is 0 or 1 far out, where x³ would overflow. Where no gradient is recorded
// one pass over memory computes it.
Variable gelu_tanh(const Variable& x) {
  return record(op("gelu_tanh"), {x}, gelu(x.value(), GeluForm::tanh), [](const Variable& grad, const Saved& saved) {
    if (!is_recording()) return gradients(gelu_tanh_gradient(grad.value(), saved.input().value()));
    const double c = 2 * std::sqrt(2 / std::numbers::pi);
    const Variable in = clamp(saved.input(), -30, 30);
    const Variable square_of = square(in);
    const Variable twice_u = c * in * (1 + 0.044715 * square_of), s = sigmoid(twice_u), rest = sigmoid(-twice_u);
    return gradients(grad * (s * (1 + in * rest * (c * (1 + 3 * 0.044715 * square_of)))));
  });
}

}  // namespace

Variable gelu(const Variable& x, GeluForm form) {
  require_defined("gelu", x);
  return form == GeluForm::erf ? gelu_erf(x) : gelu_tanh(x);
}

}  // namespace regard
