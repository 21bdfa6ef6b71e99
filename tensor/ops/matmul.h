#pragma once

#include "tensor/tensor.h"

namespace regard {

// C = A·B:  c(i, j) = Σₖ a(i, k)·b(k, j).
//
// The last two axes are the matrices, (…, M, K) × (…, K, N) → (…, M, N); the axes in front are a batch and broadcast.
// A 1-d operand is a row on the left and a column on the right, and the axis it was given is dropped again:
// (K) × (…, K, N) → (…, N), (…, M, K) × (K) → (…, M), (K) × (K) → ().
Tensor matmul(const Tensor& a, const Tensor& b);

Tensor bmm(const Tensor& a, const Tensor& b);    // (B, M, K) × (B, K, N) → (B, M, N), nothing else
Tensor outer(const Tensor& a, const Tensor& b);  // (M), (N) → (M, N): aᵢ·bⱼ

// A layer:  y = x·Wᵀ + b for x (…, in), W (out, in) and b (out), which may be undefined. y starts as rows of b, and the
// product is added to it; what is in front of the last axis of x are rows of one product. Where x and b are f32, W may
// be bf16: it is read as it is, which is half as much memory, and widened in registers.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

// Throw what is wrong with the shapes of the operands.
void require_matmul(const Shape& a, const Shape& b);
void require_bmm(const Shape& a, const Shape& b);
void require_outer(const Shape& a, const Shape& b);

}  // namespace regard
