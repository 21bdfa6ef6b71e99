#pragma once

#include "autograd/ops/arithmetic.h"
#include "nn/attention/modifier.h"
#include "tensor/random/random.h"

namespace regard::nn {

struct T5Options {
  enum class Direction {
    both,    // half of the buckets are for keys ahead
    causal,  // keys ahead share the bucket of distance 0
  };

  std::int64_t heads;
  Direction direction;
  std::int64_t buckets = 32, max_distance = 128;
  DType dtype = DType::f32;
};

// The bucket of a pair, of which the key lies `ahead` of the query. Of the n buckets of a direction, the first half
// holds one distance each; in the second half they widen with the logarithm of the distance d, up to the last, for
// max_distance m and all beyond:
//   d < n/2: d          else: min(n − 1, n/2 + ⌊log(d/(n/2)) / log(m/(n/2)) · n/2⌋)
std::int64_t t5_bucket(std::int64_t ahead, const T5Options& options);

// Relative positions as T5 has them: each head learns a number for each bucket of distances, and adds it to its scores
// (…, H, Lq, Lk). Exact for neighbours, coarse for what is far.
struct T5RelativeBias : Modifier {
  T5Options options;
  Variable table;  // (buckets, H)

  T5RelativeBias(AnyScore score, const T5Options& o, Generator& g)
      : Modifier(std::move(score)), options(o), table(parameter(normal({o.buckets, o.heads}, g, 0, 0.02, o.dtype))) {}

  void visit(Visitor& v) {
    Modifier::visit(v);
    v("table", table);
  }

  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    const Variable scores = require_heads("T5RelativeBias", inner(q, k, offset), options.heads);
    const PairGrid grid{q.size(-2), k.size(-2), options.heads, offset};
    return scores + pairs_of_line(numbers().line("T5RelativeBias", grid), grid.queries, grid.keys);
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    FusedForm form = inner.fused(require_heads("T5RelativeBias", q, options.heads), k, offset);
    form.score = shipped_scores::with_numbers(form.score, numbers());
    return form;
  }

 private:
  PairNumber numbers() const {
    return by_distance(table, [o = options](std::int64_t ahead) { return t5_bucket(ahead, o); });
  }
};

}  // namespace regard::nn
