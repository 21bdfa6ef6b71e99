#include "autograd/attention/weights.h"

#include "autograd/attention/call.h"
#include "tensor/attention/engine/passes.h"

namespace regard {
namespace {

// take(inputs, tiles, forward pass), for a call without dropout.
template <class Take>
Tensor take_weights(const CheckedCall& checked, const Take& take) {
  const AttentionInputs in = checked.call.values(checked.inputs);
  return with_tiles(checked.call.score, in.q.dtype(),
                    [&](const auto& tiles) { return take(in, tiles, attention_forward(in, tiles)); });
}

FusedOptions without_dropout(FusedOptions options) {
  options.dropout = 0;
  return options;
}

}  // namespace

Tensor fused_weights(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                     const std::vector<std::int64_t>& queries, const FusedOptions& options) {
  const CheckedCall checked = checked_call("fused_weights", score, q, k, v, without_dropout(options));
  for (const std::int64_t i : queries)
    if (i < 0 || i >= q.size(-2)) fail<ValueError>("fused_weights: query {} of {}", i, q.size(-2));
  return take_weights(checked, [&](const AttentionInputs& in, const auto& tiles, const AttentionForward& made) {
    return attention_rows(in, tiles, made, queries);
  });
}

}  // namespace regard
