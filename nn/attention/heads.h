#pragma once

#include "nn/attention/any_attention.h"
#include "nn/attention/any_score.h"

namespace regard::nn {

// The functions of which attention with heads is made: MultiHeadAttention, and others, such as
// attention/variants/latent.cpp. They call them in this order:
//   known = resolve_heads(…)  what is seen; what pairs get besides their scores is added to known.bias
//   placed_queries(…)         of split_heads(w_q(q), …), after pairs::without_blind_queries, which keeps NaN away
//   placed_keys(…)            of split_heads(w_k(k), …), after cleaned(k, …); values, too; not if call.is_filled()
//   remembered(…)             all keys and values; the cache grows: call.offset_in_keys() is asked before
//   attention.attend(…)       then masked_heads, merge_heads, w_o

// For modules that take batches only: throws in its name unless all are (B, L, E).
void require_batches(const char* module, const Variable& q, const Variable& k, const Variable& v);

// (B, L, H·D) → (B, H, L, D): the features are cut into heads, and heads become an axis beside the batch.
Variable split_heads(const Variable& x, std::int64_t heads);

// (B, H, L, D) → (B, L, H·D): the heads side by side again.
Variable merge_heads(const Variable& x);

// A mask for scores (B, heads, Lq, Lk), where the keys of the call's cache come before those of k.
ResolvedMask resolve_heads(const Mask& mask, const Variable& q, const Variable& k, const Variable& v,
                           std::int64_t heads, const AttentionCall& call);

// Queries or keys x (B, H, L, D), placed as the score wants it, from the call's position on. In each sequence positions
// count from where it begins, so its numbers are to the last bit what it has alone. What is before stays as it is.
Variable placed_queries(const AnyScore& score, const Variable& x, const AttentionCall& call);
Variable placed_keys(const AnyScore& score, const Variable& x, const AttentionCall& call);

// k or v, with 0 where no query sees it. What will be remembered stays: a later query may see what none sees now.
Variable cleaned(const Variable& x, const ResolvedMask& known, const AttentionCall& call);

// All keys and values of a call: the remembered ones, then the new ones, which are remembered from now on. Those that
// no query sees are 0, so they hold no NaN.
struct KeysAndValues {
  Variable keys, values;
};
KeysAndValues remembered(const KeysAndValues& made, const ResolvedMask& known, const AttentionCall& call);

// The output of each head, (B, H, Lq, Dv), times its number in the head mask, (H) or (B, H).
Variable masked_heads(const Variable& mixed, const Variable& head_mask);

}  // namespace regard::nn
