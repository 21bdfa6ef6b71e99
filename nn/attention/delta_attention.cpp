#include "nn/attention/delta_attention.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/attention/masks/mask_resolve.h"
#include "nn/attention/multi_head.h"
#include "nn/attention/scores/cosine.h"
#include "nn/layers/require.h"
#include "tensor/create.h"

namespace regard::nn {
namespace {

// Fills in every size that is left out.
const DeltaAttentionOptions& whole(DeltaAttentionOptions& o) {
  require_positive("DeltaAttention", {{"model", o.model}, {"heads", o.heads}});
  require_positive_or_0("DeltaAttention", {{"head_size", o.head_size}, {"head_value_size", o.head_value_size}});
  if (o.head_size == 0 && o.model % o.heads != 0)
    fail<ValueError>("DeltaAttention: a model of {} does not divide into {} heads", o.model, o.heads);
  if (o.head_size == 0) o.head_size = o.model / o.heads;
  if (o.head_value_size == 0) o.head_value_size = o.head_size;
  return o;
}

void require_same_tokens(const Variable& q, const Variable& k, const Variable& v, const AttentionCall& call) {
  require_batches("DeltaAttention", q, k, v);
  const auto fits = [&](const Variable& x) { return x.size(0) == q.size(0) && x.size(1) == q.size(1); };
  if (!fits(k) || !fits(v))
    fail<ShapeError>("DeltaAttention: q {}, k {}, v {}: they must be of the same tokens", q.shape(), k.shape(),
                     v.shape());
  if (call.memory) fail<ValueError>("DeltaAttention: it reads what it writes, and not the memory of an encoder");
}

// Counts the real tokens, and throws unless each of them sees all real ones up to itself, and nothing else.
void require_causal(const Mask& mask, const Variable& x, DeltaMemory& memory) {
  std::vector<std::int64_t> real = memory.real;  // kept only if the mask fits
  real.resize(static_cast<std::size_t>(x.size(0)), 0);
  const auto fits = [&](std::int64_t sequence, std::int64_t query, const KeyRange& sees) {
    const std::int64_t count = ++real[static_cast<std::size_t>(sequence)];
    return sees.last == memory.next + query + 1 && sees.last - sees.first == count;
  };
  if (!each_real_query_sees(mask, x, memory.next, fits))
    fail<ValueError>(
        "DeltaAttention: the mask {}: a token can only see those before it and itself, as with "
        "Mask::causal(), besides padding",
        mask);
  memory.real = std::move(real);
}

}  // namespace

DeltaAttention::DeltaAttention(DeltaAttentionOptions o, Generator& g)
    : heads(whole(o).heads),
      w_q({.in = o.model, .out = o.heads * o.head_size, .bias = false, .dtype = o.dtype}, g),
      w_k({.in = o.model, .out = o.heads * o.head_size, .bias = false, .dtype = o.dtype}, g),
      w_v({.in = o.model, .out = o.heads * o.head_value_size, .bias = false, .dtype = o.dtype}, g),
      w_o({.in = o.heads * o.head_value_size, .out = o.model, .bias = false, .dtype = o.dtype}, g) {
  if (o.corrects) w_beta = Linear({.in = o.model, .out = o.heads, .dtype = o.dtype}, g);
  if (o.fading == Fading::none) return;
  const std::int64_t numbers = o.fading == Fading::per_head ? o.heads : o.heads * o.head_size;
  w_decay = Linear({.in = o.model, .out = numbers, .dtype = o.dtype}, g);
  assign(w_decay->bias, full({numbers}, 4, o.dtype));
}

void DeltaAttention::visit(Visitor& v) {
  v("w_q", w_q);
  v("w_k", w_k);
  v("w_v", w_v);
  v("w_o", w_o);
  v("w_beta", w_beta);
  v("w_decay", w_decay);
}

// β and log a, in heads: (B, L, H·n) → (B, H, L, n), or (B, H, L) of one number.
DeltaOptions DeltaAttention::rule_of(const Variable& x) const {
  const auto of_heads = [&](const Variable& y) {
    const Variable split = split_heads(y, heads);
    return split.size(-1) == 1 ? squeeze(split, -1) : split;
  };
  DeltaOptions rule;
  if (w_beta) rule.beta = of_heads(sigmoid((*w_beta)(x)));
  if (w_decay) rule.log_decay = of_heads(-softplus(-(*w_decay)(x)));  // log σ
  return rule;
}

AttentionOutput DeltaAttention::operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                                           const AttentionCall& call) {
  require_same_tokens(q, k, v, call);
  DeltaMemory none;
  DeltaMemory& memory = call.cache ? call.cache->as<DeltaMemory>() : none;
  const Tensor real = real_queries(mask, q, memory.next);
  require_causal(mask, q, memory);
  // Padding is 0, and so are its keys: nothing is written.
  const auto kept = [&](const Variable& x) { return real.defined() ? where(real, x, 0) : x; };
  const auto projected = [&](const Linear& w, const Variable& x) { return split_heads(w(kept(x)), heads); };

  const Variable queries = CosineScore::unit(projected(w_q, q)), keys = CosineScore::unit(projected(w_k, k));
  DeltaOptions rule = rule_of(kept(k));
  rule.state = memory.state;
  const auto [read, state] = delta_rule(queries, keys, projected(w_v, v), rule);
  memory.state = state;
  memory.next += q.size(1);

  const Variable mixed = real.defined() ? where(unsqueeze(real, 1), read, 0) : read;
  AttentionOutput result{w_o(merge_heads(masked_heads(mixed, call.head_mask))), {}};
  if (call.weights && !call.cache) {  // it is linear in the values: each comes back as if it were a row of I
    const NoGrad no_grad;
    const Shape pairs{q.size(0), heads, q.size(1), q.size(1)};
    result.weights = delta_rule(queries, keys, expand(Variable(eye(q.size(1), q.dtype())), pairs), rule).output;
  }
  return result;
}

void DeltaMemory::select(const Tensor& sequences) {
  if (!state.defined()) return;
  state = index_select(state, 0, sequences);
  std::vector<std::int64_t> chosen;
  for (const double i : to_vector(sequences)) chosen.push_back(real[static_cast<std::size_t>(i)]);
  real = std::move(chosen);
}

}  // namespace regard::nn
