#include "autograd/ops/fused.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "autograd/twin.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/create.h"
#include "tensor/fused/layer_norm.h"
#include "tensor/fused/masked_softmax.h"
#include "tensor/ops/index.h"

#include <limits>

namespace regard {

Variable layer_norm_composed(const Variable& x, const Variable& weight, const Variable& bias, double epsilon) {
  const Variable away = x - mean(x, -1, keepdim);
  return away * rsqrt(mean(square(away), -1, keepdim) + epsilon) * weight + bias;
}

// With x̂ = (x − μ)·r and h = g·weight:  moving xⱼ moves x̂ᵢ by r·(δᵢⱼ − 1/D − x̂ᵢ·x̂ⱼ/D): itself, the mean, and the
// deviation. So ∂x = r·(h − mean(h) − x̂·mean(h·x̂)), while ∂weight = Σ g·x̂ and ∂bias = Σ g run over all rows.
Variable layer_norm(const Variable& x, const Variable& weight, const Variable& bias, double epsilon) {
  const LayerNorm made = layer_norm(x.value(), weight.value(), bias.value(), epsilon);
  return record(op("layer_norm"), {x, weight, bias}, made.y,
                [epsilon, rows = LayerNorm{{}, made.mean, made.scale}](const Variable& grad, const Saved& saved) {
                  if (is_recording()) {
                    const auto composed = [=](const auto& in) {
                      return layer_norm_composed(in[0], in[1], in[2], epsilon);
                    };
                    return twin_gradients(composed, grad, saved);
                  }
                  const auto [to_x, to_weight, to_bias] =
                      layer_norm_gradients(grad.value(), saved.inputs[0].value(), saved.inputs[1].value(), rows);
                  return gradients(to_x, to_weight, to_bias);
                });
}

Variable cross_entropy_composed(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options) {
  const std::int64_t count = logits.shape().back();
  const Tensor counted = not_equal(classes, static_cast<double>(options.ignore_index));
  const Tensor target = one_hot(multiply(classes, counted), count, logits.dtype());
  const double smoothing = options.label_smoothing;
  const Tensor t = add(multiply(target, 1 - smoothing), smoothing / static_cast<double>(count));
  const Variable zero(zeros({}, logits.dtype()));
  const Variable rows = where(unsqueeze(counted, 1), logits, zero);  // NaN in a row that does not count goes nowhere
  return where(counted, -sum(t * log_softmax(rows, -1), -1), zero);
}

// loss = log Σ eˣ − Σⱼ tⱼ·xⱼ:  the first has the slope softmax(x), the second t, so ∂x = g·(softmax(x) − t).
Variable cross_entropy(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options) {
  const CrossEntropy made = cross_entropy(logits.value(), classes, options);
  return record(op("cross_entropy"), {logits}, made.loss, [=](const Variable& grad, const Saved& saved) {
    if (is_recording()) {
      const auto composed = [=](const auto& in) { return cross_entropy_composed(in[0], classes, options); };
      return twin_gradients(composed, grad, saved);
    }
    return gradients(cross_entropy_gradient(grad.value(), saved.input().value(), classes, made, options));
  });
}

// What is masked is replaced before anything is computed with it, so that NaN there goes nowhere. The largest number is
// subtracted as a constant: it does not change the result.
Variable masked_softmax_composed(const Variable& x, double scale, const Tensor& keep) {
  if (x.numel() == 0) return scale * x;
  const Variable zero(zeros({}, x.dtype()));
  const Tensor lowest = full({}, -std::numeric_limits<double>::infinity(), x.dtype());
  const Variable largest(max(where(keep, multiply(x.value(), scale), lowest), -1, keepdim));
  const Variable powers = where(keep, exp(where(keep, scale * x - largest, zero)), zero);
  const Variable total = sum(powers, -1, keepdim);
  return where(keep, powers / where(equal(total, 0.0), Variable(ones({}, x.dtype())), total), zero);
}

// yᵢ = e^(s·xᵢ)/Σⱼ e^(s·xⱼ) over the places kept:  ∂x = s·y·(g − Σ g·y), as for softmax; y, and so the gradient, is 0 elsewhere.
Variable masked_softmax(const Variable& x, double scale, const Tensor& keep) {
  return record(op("masked_softmax"), {x}, masked_softmax(x.value(), scale, keep),
                [=](const Variable& grad, const Saved& saved) {
                  if (is_recording()) {
                    const auto composed = [=](const auto& in) { return masked_softmax_composed(in[0], scale, keep); };
                    return twin_gradients(composed, grad, saved);
                  }
                  return gradients(masked_softmax_gradient(grad.value(), saved.output.value(), scale, keep));
                });
}

Variable bias_activation_composed(const Variable& x, const Variable& bias, Activation activation) {
  const Variable sum = x + bias;
  switch (activation) {
    case Activation::relu: return relu(sum);
    case Activation::gelu: return gelu(sum, Gelu::erf);
    case Activation::gelu_tanh: return gelu(sum, Gelu::tanh);
    case Activation::silu: return silu(sum);
    case Activation::tanh: return tanh(sum);
    case Activation::sigmoid: break;
  }
  return sigmoid(sum);
}

// y = f(x + b):  ∂x = g·f′(x + b), and ∂b the same, summed over what the bias was repeated along.
Variable bias_activation(const Variable& x, const Variable& bias, Activation activation) {
  return record(op("bias_activation"), {x, bias}, bias_activation(x.value(), bias.value(), activation),
                [activation](const Variable& grad, const Saved& saved) {
                  if (is_recording()) {
                    const auto composed = [=](const auto& in) {
                      return bias_activation_composed(in[0], in[1], activation);
                    };
                    return twin_gradients(composed, grad, saved);
                  }
                  const Tensor &values = saved.inputs[0].value(), &added = saved.inputs[1].value();
                  const Tensor to_x = bias_activation_gradient(grad.value(), values, added, activation);
                  return gradients(to_x, sum_to(to_x, added.shape()));
                });
}

}  // namespace regard
