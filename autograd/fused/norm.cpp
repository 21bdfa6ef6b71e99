#include "autograd/fused/norm.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/twin.h"
#include "tensor/fused/norm.h"

namespace regard {

// book: layer_norm
Variable layer_norm_composed(const Variable& x, const Variable& weight, const Variable& bias, double epsilon) {
  const Variable away = x - mean(x, -1, keepdim);
  return away * rsqrt(mean(square(away), -1, keepdim) + epsilon) * weight + bias;
}

// With x̂ = (x − μ)·r and h = g·weight:  moving xⱼ moves x̂ᵢ by r·(δᵢⱼ − 1/D − x̂ᵢ·x̂ⱼ/D): itself, the mean, and the
// deviation. So ∂x = r·(h − mean(h) − x̂·mean(h·x̂)), while ∂weight = Σ g·x̂ and ∂bias = Σ g run over all rows.
Variable layer_norm(const Variable& x, const Variable& weight, const Variable& bias, double epsilon) {
  const NormResult made = layer_norm(x.value(), weight.value(), bias.value(), epsilon);
  return record(op("layer_norm"), {x, weight, bias}, made.y,
                with_twin([=](const graph::Inputs& in) { return layer_norm_composed(in[0], in[1], in[2], epsilon); },
                          // without y, which nobody needs
                          [rows = NormResult{{}, made.scale, made.mean}](const Variable& grad, const Saved& saved) {
                            const auto [to_x, to_weight, to_bias] = layer_norm_gradients(
                                grad.value(), saved.inputs[0].value(), saved.inputs[1].value(), rows);
                            return gradients(to_x, to_weight, to_bias);
                          }));
}
// book: /layer_norm

// book: rms_norm_composed
Variable rms_norm_composed(const Variable& x, const Variable& weight, double epsilon) {
  return x * rsqrt(mean(square(x), -1, keepdim) + epsilon) * weight;
}
// book: /rms_norm_composed

// book: rms_norm
// With x̂ = x·r and h = g·weight:  moving xⱼ moves x̂ᵢ by r·(δᵢⱼ − x̂ᵢ·x̂ⱼ/D): itself, and the length that all are
// divided by. So ∂x = r·(h − x̂·mean(h·x̂)), while ∂weight = Σ g·x̂ runs over all rows.
Variable rms_norm(const Variable& x, const Variable& weight, double epsilon) {
  const NormResult made = rms_norm(x.value(), weight.value(), epsilon);
  return record(op("rms_norm"), {x, weight}, made.y,
                with_twin([=](const graph::Inputs& in) { return rms_norm_composed(in[0], in[1], epsilon); },
                          // without y, which nobody needs
                          [rows = NormResult{{}, made.scale}](const Variable& grad, const Saved& saved) {
                            const NormGradients to = rms_norm_gradients(grad.value(), saved.inputs[0].value(),
                                                                        saved.inputs[1].value(), rows);
                            return gradients(to.x, to.weight);
                          }));
}
// book: /rms_norm

}  // namespace regard
