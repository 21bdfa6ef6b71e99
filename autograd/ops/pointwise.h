#pragma once

#include "autograd/variable.h"
#include "tensor/ops/pointwise.h"

namespace regard {

// The verbs of tensor/ops/pointwise.h, recorded.

Variable exp(const Variable& x);
Variable log(const Variable& x);
Variable sqrt(const Variable& x);
Variable rsqrt(const Variable& x);
Variable square(const Variable& x);
Variable sin(const Variable& x);
Variable cos(const Variable& x);
Variable tanh(const Variable& x);
Variable erf(const Variable& x);
Variable sigmoid(const Variable& x);
Variable softplus(const Variable& x);
Variable relu(const Variable& x);
Variable leaky_relu(const Variable& x, double slope = 0.01);
Variable silu(const Variable& x);
Variable gelu(const Variable& x, GeluForm form = GeluForm::erf);
Variable abs(const Variable& x);
Variable clamp(const Variable& x, double low, double high);
Tensor is_nan(const Variable& x);

Variable to(const Variable& x, DType dtype);  // f32 ↔ f64; to i64 no gradient could follow

}  // namespace regard
