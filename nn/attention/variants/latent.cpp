#include "nn/attention/variants/latent.h"

#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/attention/scores/scaled_dot_product.h"

#include <cmath>

namespace regard::nn {

LatentAttention::LatentAttention(const LatentOptions& o, Generator& g)
    : heads(o.heads),
      turn(o.rotate),
      w_q({o.model, o.heads * o.head_size, false, o.dtype}, g),
      w_qr({o.model, o.heads * o.turned, false, o.dtype}, g),
      w_c({o.source > 0 ? o.source : o.model, o.latent, false, o.dtype}, g),
      w_kr({o.source > 0 ? o.source : o.model, o.turned, false, o.dtype}, g),
      w_uk({o.latent, o.heads * o.head_size, false, o.dtype}, g),
      w_uv({o.latent, o.heads * o.head_value_size, false, o.dtype}, g),
      w_o({o.heads * o.head_value_size, o.model, false, o.dtype}, g),
      norm({.size = o.latent, .dtype = o.dtype}),
      attention(ScaledDotProduct{.scale = 1 / std::sqrt(static_cast<double>(o.head_size + o.turned))},
                {.dropout = o.dropout, .seed = g.at(g.take(1)).first, .method = o.method}) {}

AttentionOutput LatentAttention::operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                                            const AttentionCall& call) {
  require_batches("LatentAttention", q, k, v);
  if (!k.same_as(v)) fail<ValueError>("LatentAttention: k and v are two tensors: both are made of one: give it twice");
  const ResolvedMask known = resolve_heads(mask, q, k, v, heads, call);
  const std::int64_t offset = call.offset_in_keys();
  const Variable seeing_q = pairs::without_blind_queries(q, known.seeing), own = split_heads(w_q(seeing_q), heads);
  const Variable turned = rotate(split_heads(w_qr(seeing_q), heads), call.position(), turn);
  const Variable source = cleaned(k, known, call);
  KeysAndValues fresh;
  if (!call.is_filled())
    fresh = {unsqueeze(norm(w_c(source)), 1), rotate(unsqueeze(w_kr(source), 1), call.key_position(), turn)};
  const auto [c, r] = remembered(fresh, known, call);  // (B, 1, Lk, C) and (B, 1, Lk, R)
  const auto by_head = [&](const Linear& w) {
    const Variable wide = w.weight.dtype() == DType::bf16 ? to(w.weight, own.dtype()) : w.weight;
    return reshape(wide, {heads, -1, wide.size(1)});
  };
  AttentionOutput made;
  if (form == LatentForm::absorbed) {
    made = attention.attend(cat({matmul(own, by_head(w_uk)), turned}, -1), cat({c, r}, -1), c, known, offset,
                            call.weights);
    made.output = matmul(made.output, transpose(by_head(w_uv)));
  } else {
    const Variable keys = split_heads(w_uk(squeeze(c, 1)), heads), values = split_heads(w_uv(squeeze(c, 1)), heads);
    const Variable shared = expand(r, {r.size(0), heads, r.size(2), r.size(3)});
    made = attention.attend(cat({own, turned}, -1), cat({keys, shared}, -1), values, known, offset, call.weights);
  }
  return {w_o(merge_heads(masked_heads(made.output, call.head_mask))), made.weights};
}

}  // namespace regard::nn
