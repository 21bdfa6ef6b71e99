#pragma once

#include "autograd/variable.h"

#include <limits>

namespace regard::nn {

// How wrong a prediction is. Prediction and target must have the same shape. Nothing is broadcast: (N, 1) against (N)
// would silently compare each with each.

// One number for all elements that count, or one for each.
enum class Reduction { mean, sum, none };

Variable mse_loss(const Variable& prediction, const Variable& target, Reduction r = Reduction::mean);  // (p − t)²
Variable l1_loss(const Variable& prediction, const Variable& target, Reduction r = Reduction::mean);   // |p − t|

struct CrossEntropyLossOptions {
  double label_smoothing = 0;                                      // s, in [0, 1]
  std::int64_t ignore = std::numeric_limits<std::int64_t>::min();  // the class that does not count, such as padding
  Reduction reduction = Reduction::mean;  // a mean over the positions that count; with `none` the others are 0
  Tensor weight = {};                     // w, (V): how much each class counts, where some are rare
};

// For logits (…, V) and classes (…), i64:  −Σⱼ tⱼ·log softmax(x)ⱼ of each position, where the target is
// t = w·((1 − s)·onehot(class) + s/V), with w = 1 if there are no weights. With weights the mean is the sum divided by
// that of the weights w(class) of the positions that count. If no position counts the mean is 0, and so is its
// gradient.
Variable cross_entropy_loss(const Variable& logits, const Tensor& classes, const CrossEntropyLossOptions& options = {});

}  // namespace regard::nn
