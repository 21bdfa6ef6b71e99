#pragma once

#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"
#include "nn/attention/scores/require.h"
#include "nn/attention/skeleton.h"
#include "tensor/random/random.h"

#include <cmath>

namespace regard::nn {

struct BilinearOptions {
  std::int64_t query_size, key_size;
  DType dtype = DType::f32;
};

// a(q, k) = qᵀ W k          q (…, Lq, Dq), k (…, Lk, Dk), W (Dq, Dk) → (…, Lq, Lk)
//
// A dot product in a space that is learned. W starts normal with variance 1/(Dq·Dk), so that the score of components of
// variance 1 has variance 1.
struct BilinearScore {
  Variable weight;

  BilinearScore(const BilinearOptions& o, Generator& g)
      : weight(parameter(normal({o.query_size, o.key_size}, g, 0,
                                1 / std::sqrt(static_cast<double>(o.query_size * o.key_size)), o.dtype))) {}

  void visit(Visitor& v) { v("weight", weight); }

  Variable operator()(const Variable& q, const Variable& k) const {
    const Variable asked = as_key(q, k);
    return matmul(asked, transpose(k));
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    return {shipped_scores::dot(1), as_key(q, k), k};
  }

 private:
  // Wᵀq, which is compared with k. (Of the products, linear takes a W that is stored in bf16.)
  Variable as_key(const Variable& q, const Variable& k) const {
    require_sizes("BilinearScore", q, weight.size(0), k, weight.size(1));
    return linear(q, transpose(weight));
  }
};

}  // namespace regard::nn
