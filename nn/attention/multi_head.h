#pragma once

#include "nn/attention/any_attention.h"
#include "nn/attention/attention.h"
#include "nn/layers/linear.h"

#include <functional>
#include <optional>

namespace regard::nn {

struct MultiHeadOptions {
  std::int64_t model, heads;         // E, H
  std::int64_t key_value_heads = 0;  // grouped queries: fewer heads of keys and values, G; 0: `heads`
  std::int64_t head_size = 0;        // D, of a query and a key; 0: model/heads, so that the heads share the width
  std::int64_t head_value_size = 0;  // Dv; 0: D
  std::int64_t query_size = 0, key_size = 0, value_size = 0;  // of the inputs; 0: `model`
  bool bias = true;
  std::optional<bool> qkv_bias = {};  // of w_q, w_k and w_v alone; if it is not said: `bias`
  double dropout = 0;
  DType dtype = DType::f32;
  Method method = Method::composed;
  Mask mask = {};  // for every call, besides its own: such as a window
};

// H attentions side by side, each with its own view of queries, keys and values, and its own weights:
//
//   headₕ = attention(W_qʰ·q, W_kʰ·k, W_vʰ·v)        output = W_o·[head₁; …; head_H] + b
//
// Each W_·ʰ is a block of rows of one matrix: all heads are projected in one product, and cut apart after it. A head
// reads all features, and works with D = model/heads of its own, so more heads cost no more. Scores are scaled for D.
//
//   MultiHeadAttention heads(ScaledDotProduct{}, {.model = 256, .heads = 8}, generator);
//   auto [output, weights] = heads(x, x, x, Mask::causal());        // weights (B, H, Lq, Lk)
struct MultiHeadAttention {
  std::int64_t heads, key_value_heads;
  Linear w_q, w_k, w_v, w_o;  // (H·D, query size), (G·D, key size), (G·Dv, value size), (model, H·Dv)
  Attention attention;
  Mask mask;

  MultiHeadAttention(AnyScore score, const MultiHeadOptions& options, Generator& generator);
  void visit(Visitor& v);

  // q (B, Lq, query size), k (B, Lk, key size), v (B, Lk, value size), or all without B.
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {});

  // The same in two steps, for those who do something in between: the outputs of the heads, (B, H, Lq, Dv), and these
  // joined by W_o, (B, Lq, model).
  AttentionOutput each(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                       const AttentionCall& call = {});
  Variable joined(const Variable& mixed) const;

  // What happens in between may read q itself, which holds whatever padding holds: `resolve` says which queries are
  // blind, and `each` goes on with what it gave.
  ResolvedMask resolve(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                       const AttentionCall& call) const;
  AttentionOutput each(const Variable& q, const Variable& k, const Variable& v, const ResolvedMask& known,
                       const AttentionCall& call);

 private:
  MultiHeadAttention(const MultiHeadOptions& with_all_sizes, AnyScore score, Generator& generator);
};

// Below is what an attention with heads is made of, for those who write another one: attention/variants/latent.cpp.

// For modules that take batches only: throws in its name unless all are (B, L, E).
void require_batches(const char* module, const Variable& q, const Variable& k, const Variable& v);

// A mask for scores (B, heads, Lq, Lk), where the keys of the call's cache come before those of k.
ResolvedMask resolve_heads(const Mask& mask, const Variable& q, const Variable& k, const Variable& v,
                           std::int64_t heads, const AttentionCall& call);

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

// (B, L, H·D) → (B, H, L, D): the features are cut into heads, and heads become an axis beside the batch.
Variable split_heads(const Variable& x, std::int64_t heads);

// (B, H, L, D) → (B, L, H·D): the heads side by side again.
Variable merge_heads(const Variable& x);

}  // namespace regard::nn
