#pragma once

#include "autograd/variable.h"

namespace regard::nn {

// (B, L, H·D) → (B, H, L, D): the features are cut into heads, and heads become an axis beside the batch.
Variable split_heads(const Variable& x, std::int64_t heads);

// (B, H, L, D) → (B, L, H·D): the heads side by side again.
Variable merge_heads(const Variable& x);

// (B, G, L, D) → (B, G·times, L, D): each head in turn `times` times, for grouped queries.
Variable repeat_heads(const Variable& x, std::int64_t times);

// What multi-head attention remembers of earlier steps: projected keys and values, (B, G, L, D) for G key–value heads.
struct KeyValueCache {
  Variable keys, values;  // undefined before the first step

  std::int64_t length() const { return keys.defined() ? keys.size(-2) : 0; }
  void append(const Variable& more_keys, const Variable& more_values);
};

}  // namespace regard::nn
