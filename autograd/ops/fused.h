#pragma once

#include "autograd/variable.h"
#include "tensor/fused/bias_activation.h"
#include "tensor/fused/cross_entropy.h"

namespace regard {

// Operations that do in one pass over memory what others compose. Each stands beside its composed twin, which says what it
// means, gives its second derivatives, and is what it is tested against.

// Layer norm over the last axis of x (…, D):  (x − mean)/√(var + ε) · weight + bias, with weight and bias of shape (D).
Variable layer_norm(const Variable& x, const Variable& weight, const Variable& bias, double epsilon = 1e-5);
Variable layer_norm_composed(const Variable& x, const Variable& weight, const Variable& bias, double epsilon = 1e-5);

// For logits (N, V) and classes (N), i64: the loss of each row, (N).  −Σⱼ tⱼ·log softmax(x)ⱼ, t = (1 − s)·onehot + s/V.
Variable cross_entropy(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options = {});
Variable cross_entropy_composed(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options = {});

// softmax(scale · x) along the last axis over the places where keep is not 0, and 0 elsewhere.
Variable masked_softmax(const Variable& x, double scale, const Tensor& keep);
Variable masked_softmax_composed(const Variable& x, double scale, const Tensor& keep);

// activation(x + bias).
Variable bias_activation(const Variable& x, const Variable& bias, Activation activation);
Variable bias_activation_composed(const Variable& x, const Variable& bias, Activation activation);

}  // namespace regard
