#include "nn/attention/attention.h"

#include "autograd/ops/arithmetic.h"
#include "nn/attention/watch.h"

#include <numeric>

namespace regard::nn {

// book: composed
AttentionOutput Attention::composed(const AnyScore& placed, const Variable& q, const Variable& k, const Variable& v,
                                    const Tensor& keep, const Variable& bias, std::int64_t offset) {
  Variable scores = placed(q, k, offset);
  if (bias.defined()) scores = scores + bias;
  const Variable weights = score.normalize(scores, keep);
  return {pairs::mix(dropout(weights), v, keep), weights};
}
// book: /composed

AttentionOutput Attention::operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                                      std::int64_t offset) {
  const ResolvedMask known = mask.resolve(pairs::shape_of(q, k, v), q.dtype(), offset);
  return attend(score.place_query(pairs::without_blind_queries(q, known.seeing), offset),
                score.place_key(pairs::without_unseen_keys(k, known.seen), 0),
                pairs::without_unseen_keys(v, known.seen), known, offset);
}

AttentionOutput Attention::attend(const Variable& q, const Variable& k, const Variable& v, const ResolvedMask& mask,
                                  std::int64_t offset, bool with_weights) {
  const AnyScore& placed = score.of_placed();
  std::vector<FusedTerm> terms;
  AttentionOutput made;
  if (method == Method::fused) {
    terms = placed.terms(q, k, offset);
    made.output = fused(terms, v, mask, offset);
  } else {
    const Tensor keep = visible_table(mask.visible, pairs::shape_of(q, k, v), q.dtype());
    const Variable keys = pairs::for_all_queries(q, k), values = pairs::for_all_queries(q, v);
    made = composed(placed, q, keys, values, keep, mask.bias, offset);
  }
  if (is_watched())
    tell_watches({.module = this,
                  .score = &placed,
                  .q = q,
                  .k = k,
                  .v = v,
                  .mask = &mask,
                  .offset = offset,
                  .made = made,
                  .dropped = dropout.training && dropout.p > 0});
  if (with_weights && !made.weights.defined()) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(q.size(-2)));
    std::iota(all.begin(), all.end(), 0);
    made.weights = weights_of(terms, v, mask, offset, all);
  }
  return made;
}

Attention::Attention(AnyScore with_score, const AttentionOptions& o)
    : score(std::move(with_score)), dropout(o.dropout, o.seed), method(o.method) {
  if (const std::string why = score.why_not_fused(); method == Method::fused && !why.empty())
    fail<ValueError>("Attention: this score has no fused form, as {}; use Method::composed", why);
}

void Attention::visit(Visitor& v) {
  v.here(this);
  if (score.is_module()) v("score", score);
  v("dropout", dropout);
  if (score.why_not_fused().empty()) v("method", method);
}

}  // namespace regard::nn
