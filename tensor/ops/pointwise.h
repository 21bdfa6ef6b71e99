#pragma once

#include "tensor/tensor.h"

namespace regard {

// One number in, one number out. All but abs, relu, clamp and is_nan need f32 or f64.

Tensor exp(const Tensor& x);    // eˣ
Tensor log(const Tensor& x);    // natural logarithm; −∞ at 0, NaN below
Tensor sqrt(const Tensor& x);   // √x
Tensor rsqrt(const Tensor& x);  // 1/√x
Tensor square(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor erf(const Tensor& x);       // 2/√π ∫₀ˣ e^(−t²) dt
Tensor sigmoid(const Tensor& x);   // σ(x) = 1/(1 + e⁻ˣ)
Tensor softplus(const Tensor& x);  // log(1 + eˣ)

Tensor relu(const Tensor& x);                             // max(x, 0)
Tensor leaky_relu(const Tensor& x, double slope = 0.01);  // x for x > 0, slope·x elsewhere
Tensor silu(const Tensor& x);                             // x·σ(x)

// gelu is x·Φ(x), Φ the normal distribution function. The tanh form replaces Φ(x) by
// (1 + tanh(√(2/π)·(x + 0.044715 x³)))/2, which moves the result by less than 5e-4; models trained with one want that
// one.
enum class GeluForm { erf, tanh };
Tensor gelu(const Tensor& x, GeluForm form = GeluForm::erf);
Tensor gelu_tanh_gradient(const Tensor& grad, const Tensor& x);  // grad times the slope of gelu(x, tanh)

Tensor abs(const Tensor& x);
Tensor clamp(const Tensor& x, double low, double high);  // min(max(x, low), high)

Tensor is_nan(const Tensor& x);  // 1 where x is NaN, 0 elsewhere

}  // namespace regard
