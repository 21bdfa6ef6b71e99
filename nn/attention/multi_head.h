#pragma once

#include "nn/attention/attention.h"
#include "nn/attention/heads.h"
#include "nn/layers/linear.h"

namespace regard::nn {

struct MultiHeadOptions {
  std::int64_t model, heads;         // E, H
  std::int64_t key_value_heads = 0;  // grouped queries: fewer heads of keys and values, G; 0: `heads`
  std::int64_t head_size = 0;        // D, of a query and a key; 0: model/heads, so that the heads share the width
  std::int64_t head_value_size = 0;  // Dv; 0: D
  std::int64_t query_size = 0, key_size = 0, value_size = 0;  // of the inputs; 0: `model`
  bool bias = true;
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

  MultiHeadAttention(AnyScore score, MultiHeadOptions options, Generator& generator);
  void visit(Visitor& v);

  // What it computes, in two lines: q (B, Lq, query size), k (B, Lk, key size), v (B, Lk, value size).
  AttentionOutput definition(const Variable& q, const Variable& k, const Variable& v, const Mask& more = {});

  // What may happen to the outputs of the heads, (B, H, Lq, Dv), before W_o joins them. It also gets the tokens of the
  // queries, (B, Lq, query size): with 0 for those that see no key, so that it reads no NaN of padding.
  using Between = std::function<Variable(const Variable& mixed, const Variable& q)>;

  // The same for what a call may add, and for inputs without B. NaN in rows that are hidden reaches no gradient.
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& more = {},
                             const AttentionCall& call = {}, const Between& between = {});

 private:
  KeysAndValues keys_and_values(const Variable& k, const Variable& v, const ResolvedMask& known,
                                const AttentionCall& call);
};

}  // namespace regard::nn
