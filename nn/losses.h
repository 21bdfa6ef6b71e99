#pragma once

#include "autograd/variable.h"
#include "tensor/fused/cross_entropy.h"

namespace regard::nn {

// One number for how wrong a prediction is: the mean over everything that counts. Prediction and target must have the
// same shape. Nothing is broadcast: (N, 1) against (N) would silently compare each with each.

Variable mse_loss(const Variable& prediction, const Variable& target);  // mean (p − t)²
Variable l1_loss(const Variable& prediction, const Variable& target);   // mean |p − t|

// For probabilities t of "yes" and logits x:  mean −t·log σ(x) − (1 − t)·log(1 − σ(x)),
// computed as t·softplus(−x) + (1 − t)·softplus(x), which neither overflows nor takes the logarithm of 0.
Variable binary_cross_entropy_loss(const Variable& logits, const Variable& target);

// For logits (…, V) and classes (…), i64:  the mean over the positions that count of −Σⱼ tⱼ·log softmax(x)ⱼ, where the
// target is t = (1 − s)·onehot(class) + s/V. If no position counts the loss is 0, and so is its gradient. The options,
// s and the class that does not count, are those of the same sum row by row, tensor/fused/cross_entropy.h.
Variable cross_entropy_loss(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options = {});

}  // namespace regard::nn
