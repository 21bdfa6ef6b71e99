#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/attention/scores/require.h"
#include "nn/attention/skeleton.h"
#include "nn/layers/linear.h"

namespace regard::nn {

struct AdditiveOptions {
  std::int64_t query_size, key_size, hidden;
  bool bias = false;
  DType dtype = DType::f32;
};

// a(q, k) = w_vᵀ tanh(W_q q + W_k k)          q (…, Lq, Dq), k (…, Lk, Dk) → (…, Lq, Lk)
//
// A small network looks at each pair, so queries and keys may have different sizes. One bias, that of W_k, is enough:
// it is added to the same sum. A bias of w_v would be added to all scores alike, which softmax does not notice.
struct AdditiveScore {
  Linear w_q, w_k, w_v;

  AdditiveScore(const AdditiveOptions& o, Generator& g)
      : w_q({.in = o.query_size, .out = o.hidden, .bias = false, .dtype = o.dtype}, g),
        w_k({.in = o.key_size, .out = o.hidden, .bias = o.bias, .dtype = o.dtype}, g),
        w_v({.in = o.hidden, .out = 1, .bias = false, .dtype = o.dtype}, g) {}

  void visit(Visitor& v) {
    v("w_q", w_q);
    v("w_k", w_k);
    v("w_v", w_v);
  }

  // book: compare
  Variable operator()(const Variable& q, const Variable& k) const {
    require_mine(q, k);
    return compare(w_q(q), w_k(k));
  }
  Variable compare(const Variable& q, const Variable& k) const {  // of what is projected
    const Variable sums = unsqueeze(q, -2) + unsqueeze(k, -3);    // (…, Lq, 1, hidden) + (…, 1, Lk, hidden)
    return squeeze(w_v(tanh(sums)), -1);                          // (…, Lq, Lk, 1) → (…, Lq, Lk)
  }
  // book: /compare
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    require_mine(q, k);
    return {shipped_scores::additive(), w_q(q), w_k(k), reshape(w_v.weight, {w_v.weight.numel()})};
  }

 private:
  void require_mine(const Variable& q, const Variable& k) const {
    require_sizes("AdditiveScore", q, w_q.weight.size(1), k, w_k.weight.size(1));
  }
};

}  // namespace regard::nn
