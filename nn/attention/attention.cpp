#include "nn/attention/attention.h"

#include "autograd/ops/arithmetic.h"
#include "nn/attention/watch.h"

namespace regard::nn {

// `compare` is the score. If the score turns queries and keys by their positions, they have been turned already, and
// `compare` is the score inside of it.
// book: composed
AttentionOutput Attention::composed(const AnyScore& compare, const Variable& q, const Variable& k, const Variable& v,
                                    const Tensor& keep, const Variable& bias, std::int64_t offset) {
  Variable scores = compare(q, k, offset);
  if (bias.defined()) scores = scores + bias;
  const Variable weights = score.normalize(scores, keep);   // masked_softmax(scores), or the score's own
  return {pairs::mix(dropout(weights), v, keep), weights};  // dropout(weights) · v
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
  const AnyScore& compare = score.after_placing();
  std::vector<FusedTerm> terms;
  AttentionOutput made;
  if (method == Method::fused) {
    terms = compare.terms(q, k, offset);
    made.output = fused(terms, v, mask, offset);
  } else {
    const Tensor keep = visible_table(mask.visible, pairs::shape_of(q, k, v), q.dtype());
    const Variable keys = pairs::for_all_queries(q, k), values = pairs::for_all_queries(q, v);
    made = composed(compare, q, keys, values, keep, mask.bias, offset);
  }
  if (is_watched())
    tell_watches({.module = this,
                  .score = &compare,
                  .q = q,
                  .k = k,
                  .v = v,
                  .mask = &mask,
                  .offset = offset,
                  .made = made,
                  .dropped = dropout.training && dropout.p > 0});
  if (with_weights && !made.weights.defined()) made.weights = weights_of(terms, v, mask, offset);
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
