#pragma once

#include "nn/attention/any_attention.h"
#include "nn/attention/any_score.h"

#include <functional>

namespace regard::nn {

// What an attention with heads is made of: MultiHeadAttention, and others, such as attention/variants/latent.cpp. They
// call it in this order:
//   known = resolve_heads(…)               what is seen; what pairs get besides their scores is added to known.bias
//   call.offset_in_keys(), position()      before the cache grows
//   placed.query(split_heads(w_q(q), …))   after pairs::without_blind_queries, which keeps NaN of queries away
//   with_remembered(…)                     all keys and values; the cache grows
//   attention.attend(…)                    then masked_heads, merge_heads, w_o

// For modules that take batches only: throws in its name unless all are (B, L, E).
void require_batches(const char* module, const Variable& q, const Variable& k, const Variable& v);

// (B, L, H·D) → (B, H, L, D): the features are cut into heads, and heads become an axis beside the batch.
Variable split_heads(const Variable& x, std::int64_t heads);

// (B, H, L, D) → (B, L, H·D): the heads side by side again.
Variable merge_heads(const Variable& x);

// A mask for scores (B, heads, Lq, Lk), where the keys of the call's cache come before those of k.
ResolvedMask resolve_heads(const Mask& mask, const Variable& q, const Variable& k, const Variable& v,
                           std::int64_t heads, const AttentionCall& call);

// Queries or keys x (B, H, L, D), placed as the score wants it, the first row at `position`. In each sequence positions
// count from where it begins, so its numbers are to the last bit what it has alone. What is before stays as it is.
struct Placed {
  const AnyScore& score;
  const Tensor& begins;  // (B); undefined: all begin at 0

  Variable query(const Variable& x, std::int64_t position) const;
  Variable key(const Variable& x, std::int64_t position) const;
};

// All keys and values of a call: those that it remembers, and new ones that `make` makes of k and v, from a position
// on. Those that no query sees hold no NaN.
struct KeysAndValues {
  Variable keys, values;
};
using MakeKeysAndValues = std::function<KeysAndValues(const Variable& k, const Variable& v, std::int64_t position)>;
KeysAndValues with_remembered(const Variable& k, const Variable& v, const ResolvedMask& known,
                              const AttentionCall& call, const MakeKeysAndValues& make);

// The output of each head, (B, H, Lq, Dv), times its number in the head mask, (H) or (B, H).
Variable masked_heads(const Variable& mixed, const Variable& head_mask);

}  // namespace regard::nn
