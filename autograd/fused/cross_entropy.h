#pragma once

#include "autograd/variable.h"
#include "tensor/fused/cross_entropy.h"

namespace regard {

// For logits (N, V) and classes (N), i64: the loss of each row, (N), in one pass over memory.
//   −Σⱼ tⱼ·log softmax(x)ⱼ          t = w·((1 − s)·onehot + s/V), where w is 1 if no class has a weight
Variable cross_entropy(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options = {});
Variable cross_entropy_composed(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options = {});

}  // namespace regard
