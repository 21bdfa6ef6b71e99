#pragma once

#include "autograd/variable.h"
#include "tensor/ops/append.h"

namespace regard::nn {

// (B, L, H·D) → (B, H, L, D): the features are cut into heads, and heads become an axis beside the batch.
Variable split_heads(const Variable& x, std::int64_t heads);

// (B, H, L, D) → (B, L, H·D): the heads side by side again.
Variable merge_heads(const Variable& x);

// What multi-head attention remembers of earlier steps: projected keys and values, (B, G, L, D) for G key–value heads.
// A step is written behind those before it, in memory that has room for more; only where gradients are recorded all are
// copied each time. A copy of a cache goes on by itself.
struct KeyValueCache {
  Variable keys = {}, values = {};  // undefined before the first step
  Room room_of_keys = {}, room_of_values = {};

  std::int64_t length() const { return keys.defined() ? keys.size(-2) : 0; }
  void append(const Variable& more_keys, const Variable& more_values);

  // Of the sequences of the batch those with these numbers (i64), in this order, as beam search wants them.
  void select(const Tensor& sequences);
};

}  // namespace regard::nn
