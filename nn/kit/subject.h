#pragma once

#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "nn/attention/multi_head.h"
#include "nn/kit/kit.h"

namespace regard::nn::kit {

// Any module that is called like Attention or MultiHeadAttention. A mask of the variant's own is added to those of the
// laws.
template <Module M>
Subject subject(M module, const Mask& own = {}) {
  const auto shared = std::make_shared<M>(std::move(module));
  Subject one;
  one.visit = [shared](Visitor& v) { shared->visit(v); };
  constexpr bool caches = std::is_invocable_v<M&, Variable, Variable, Variable, Mask, AttentionCall>;
  one.call = [shared, own](const Variable& q, const Variable& k, const Variable& v, const Mask& mask) {
    if constexpr (caches)
      return (*shared)(q, k, v, own & mask, {.weights = true});
    else
      return (*shared)(q, k, v, own & mask);
  };
  if constexpr (caches)
    one.module = [shared, own](const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                               const AttentionCall& asks) { return (*shared)(q, k, v, own & mask, asks); };
  one.decode = [shared, own](const Variable& q, const Variable& k, const Variable& v, const Mask& causal) {
    std::vector<Variable> outputs;
    Cache cache;
    for (std::int64_t i = 0; i < q.size(-2); ++i) {  // with its own key and value, if a cache keeps those before
      const auto rows = [i](const Variable& x, std::int64_t from) { return slice(x, -2, from, i + 1); };
      const Mask mask = own & causal;
      if constexpr (caches)
        outputs.push_back((*shared)(rows(q, i), rows(k, i), rows(v, i), mask, {.cache = &cache}).output);
      else
        outputs.push_back((*shared)(rows(q, i), rows(k, 0), rows(v, 0), mask, i).output);
    }
    return cat(outputs, -2);
  };
  one.can_be_fused = set_method(*shared, Method::composed) > 0;
  return one;
}

// The row of a score. make(generator) gives the score.
template <class Make>
Variant variant(const std::string& name, const Make& make, const Mask& own = {}) {
  return {name, [make, own](double dropout, Generator& generator) {
            return subject(Attention(make(generator), {.dropout = dropout}), own);
          }};
}

template <class Make>
concept MakesModule = AttentionModule<std::invoke_result_t<Make, Generator&>>;
template <MakesModule Make>
Variant variant(const std::string&, const Make&) = delete;  // a module: Variant{name, [](double p, Generator& g) {…}}

// The row of a score inside multi-head attention, with the sizes of its inputs from `options`.
template <class Make>
Variant multi_head_variant(const std::string& name, const Make& make, MultiHeadOptions options) {
  const auto size = [&](std::int64_t given) { return given ? given : options.model; };
  Variant row{name, [make, options](double dropout, Generator& generator) {
                MultiHeadOptions with_dropout = options;
                with_dropout.dropout = dropout;
                return subject(MultiHeadAttention(make(generator), with_dropout, generator));
              }};
  row.sizes.query_size = size(options.query_size);
  row.sizes.key_size = size(options.key_size);
  row.sizes.value_size = size(options.value_size);
  if (options.bias) row.waived[Law::masked_row] = "where the heads give 0, the bias of w_o is left";
  return row;
}

}  // namespace regard::nn::kit
