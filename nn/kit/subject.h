#pragma once

#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "nn/attention/multi_head.h"
#include "nn/kit/kit.h"

namespace regard::nn {

// Any module that is called like Attention or MultiHeadAttention. A mask of the variant's own is added to those of the laws.
template <Module M>
Subject subject(M module, const Mask& own = {}) {
  const auto shared = std::make_shared<M>(std::move(module));
  Subject one;
  one.visit = [shared](Visitor& v) { shared->visit(v); };
  one.call = [shared, own](const Variable& q, const Variable& k, const Variable& v, const Mask& mask) {
    return (*shared)(q, k, v, own & mask);
  };
  if constexpr (requires(const Variable& x, const Mask& mask) { shared->fused(x, x, x, mask); })
    one.fused = [shared, own](const Variable& q, const Variable& k, const Variable& v, const Mask& mask) {
      return shared->fused(q, k, v, own & mask);
    };
  one.decode = [shared, own](const Variable& q, const Variable& k, const Variable& v) {
    const Mask mask = own & Mask::causal();
    std::vector<Variable> steps;
    KeyValueCache cache;
    for (std::int64_t i = 0; i < q.size(-2); ++i) {
      const auto now = [i](const Variable& x) { return slice(x, -2, i, i + 1); };
      const auto so_far = [i](const Variable& x) { return slice(x, -2, 0, i + 1); };
      if constexpr (std::is_invocable_v<M&, Variable, Variable, Variable, Mask, MultiHeadCall>)
        steps.push_back((*shared)(now(q), now(k), now(v), mask, {.cache = &cache}).output);
      else
        steps.push_back((*shared)(now(q), so_far(k), so_far(v), mask, i).output);
    }
    return cat(steps, -2);
  };
  return one;
}

// The row of a score. make(dropout, generator) gives the score.
template <class Make>
Variant variant(const std::string& name, const Make& make, const Mask& own = {}) {
  return {name, [make, own](double dropout, Generator& generator) {
            return subject(Attention(make(generator), {.dropout = dropout}), own);
          }};
}

}  // namespace regard::nn
