#include "nn/attention/multi_head.h"
#include "nn/layers/require.h"

// How MultiHeadAttention is made: the sizes that are left out, and the layers.
namespace regard::nn {
namespace {

std::int64_t or_default(std::int64_t given, std::int64_t fallback) { return given > 0 ? given : fallback; }

// Fills in every size that is left out.
const MultiHeadOptions& whole(MultiHeadOptions& o) {
  require_positive("MultiHeadAttention", {{"model", o.model}, {"heads", o.heads}});
  require_positive_or_0("MultiHeadAttention", {{"key_value_heads", o.key_value_heads},
                                               {"head_size", o.head_size},
                                               {"head_value_size", o.head_value_size},
                                               {"query_size", o.query_size},
                                               {"key_size", o.key_size},
                                               {"value_size", o.value_size}});
  o.key_value_heads = or_default(o.key_value_heads, o.heads);
  if (o.head_size == 0 && o.model % o.heads != 0)
    fail<ValueError>("MultiHeadAttention: a model of {} does not divide into {} heads", o.model, o.heads);
  if (o.heads % o.key_value_heads != 0)
    fail<ValueError>("MultiHeadAttention: {} heads cannot share {} key-value heads evenly", o.heads, o.key_value_heads);
  o.head_size = or_default(o.head_size, o.model / o.heads);
  o.head_value_size = or_default(o.head_value_size, o.head_size);
  for (std::int64_t* size : {&o.query_size, &o.key_size, &o.value_size}) *size = or_default(*size, o.model);
  return o;
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(AnyScore score, MultiHeadOptions o, Generator& g)
    : heads(whole(o).heads),
      key_value_heads(o.key_value_heads),
      w_q({o.query_size, o.heads * o.head_size, o.bias, o.dtype}, g),
      w_k({o.key_size, o.key_value_heads * o.head_size, o.bias, o.dtype}, g),
      w_v({o.value_size, o.key_value_heads * o.head_value_size, o.bias, o.dtype}, g),
      w_o({o.heads * o.head_value_size, o.model, o.bias, o.dtype}, g),
      attention(std::move(score), {.dropout = o.dropout, .seed = g.at(g.take(1)).first, .method = o.method}),
      mask(o.mask) {}

}  // namespace regard::nn
