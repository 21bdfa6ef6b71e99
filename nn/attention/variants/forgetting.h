#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/order.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/attention/modifier.h"
#include "nn/attention/multi_head.h"
#include "tensor/ops/arithmetic.h"

namespace regard::nn {

// The score of forgetting attention: sᵢⱼ + Cᵢ − Cⱼ, for numbers C of the keys, (B, H, Lk). Query i stands beside key
// i + offset. C is f64: it grows with the length of the text, and only differences count.
struct Forgetting : Modifier {
  Variable sums = {};  // C; ForgettingAttention sets it for each call

  explicit Forgetting(AnyScore score) : Modifier(std::move(score)) {}
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    require_defined("Forgetting", sums, "sums");
    const std::int64_t end = offset + q.size(-2);
    if (offset < 0 || end > sums.size(-1))
      fail<ShapeError>("Forgetting: queries up to position {} for keys {}: there must be a key beside each", end - 1,
                       k.shape());
    FusedForm form = inner.fused(q, k, offset);
    form.score = shipped_scores::with_numbers(form.score, per_query(slice(sums, -1, offset, end)) - per_key(sums));
    return form;
  }
};

// Forgetting attention (FoX). Each token x has a gate f = σ(W_f·x + b) for each head: how much of what came before
// stays. A query sees a key through all gates behind the key, up to its own: e^sᵢⱼ·fⱼ₊₁·…·fᵢ. With C the running sum of
// log f that is the score sᵢⱼ + Cᵢ − Cⱼ. It needs no other positions. Keys are those of the queries' own text.
struct ForgettingAttention {
  MultiHeadAttention heads;
  Linear w_f;  // (H, E)

  ForgettingAttention(AnyScore score, const MultiHeadOptions& o, Generator& g)
      : heads(Forgetting(std::move(score)), o, g),
        w_f({.in = heads.w_k.weight.size(1), .out = heads.heads, .dtype = o.dtype}, g) {}
  void visit(Visitor& v) {
    heads.visit(v);
    v("w_f", w_f);
  }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {}) {
    require_batches("ForgettingAttention", q, k, v);
    if (call.memory) fail<ValueError>("ForgettingAttention: between keys of another text (.memory) stand no gates");
    // Only differences count, so gates of padding do not matter; but NaN that may stand there must not come into sums.
    const Variable token = where(equal(k.value() - k.value(), 0), k, 0);
    const Variable asked = to(split_heads(w_f(token), heads.heads), DType::f64);
    const Variable logs = -softplus(-asked);  // log σ, (B, H, L, 1)
    const Variable all = call.cache ? call.cache->as<KeyValueCache>().append_numbers(logs) : logs;
    heads.attention.score.as<Forgetting>().sums = squeeze(cumsum(all, -2), -1);
    return heads(q, k, v, mask, call);
  }
};

}  // namespace regard::nn
