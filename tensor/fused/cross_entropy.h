#pragma once

#include "tensor/tensor.h"

#include <limits>

namespace regard {

struct CrossEntropyOptions {
  double label_smoothing = 0;                                      // s, in [0, 1]
  std::int64_t ignore = std::numeric_limits<std::int64_t>::min();  // rows of this class, such as padding, do not count
  Tensor weight = {};  // w, of shape (V): how much each class counts; undefined if all count alike
};

// For each row x of logits (N, V) and its class c (i64, (N)), without the softmax in memory:
//   loss = −Σⱼ tⱼ·log softmax(x)ⱼ = |t|·log Σ eˣ − Σⱼ tⱼ·xⱼ,   t = w·((1 − s)·onehot(c) + s/V),   |t| = Σⱼ tⱼ.
// Without class weights w is 1, and so is |t|.
struct CrossEntropyResult {
  Tensor loss;            // (N); 0 for ignored rows
  Tensor largest, total;  // max(x) and Σ e^(x − max(x)) of each row, (N): what the gradient needs
};
CrossEntropyResult cross_entropy(const Tensor& logits, const Tensor& classes, const CrossEntropyOptions& options = {});

// The gradient of Σ g·loss for g of shape (N):  ∂x = g·(|t|·softmax(x) − t), and 0 for ignored rows.
Tensor cross_entropy_gradient(const Tensor& g, const Tensor& logits, const Tensor& classes,
                              const CrossEntropyResult& made, const CrossEntropyOptions& options);

}  // namespace regard
