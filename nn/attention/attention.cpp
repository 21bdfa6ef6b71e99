#include "nn/attention/attention.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/attention/watch.h"
#include "tensor/create.h"

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
    std::vector<std::int64_t> queries(static_cast<std::size_t>(q.size(-2)));
    std::iota(queries.begin(), queries.end(), 0);
    made.weights = weights_of(terms, v, mask, offset, queries);
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

namespace {

FusedOptions options_of(const FusedForm& form, const ResolvedMask& mask, std::int64_t offset) {
  return {.parameters = form.parameters,
          .mask = [&mask](const Shape&, DType, std::int64_t) { return mask; },
          .offset = offset};
}

Variable times(const Variable& factor, const Variable& x) { return factor.defined() ? factor * x : x; }

// What a sink leaves of each row: Σ eˢ/(Σ eˢ + e^sink), (…, Lq, 1).
Variable left_by(const Variable& sink, const Variable& log_sum) {
  return unsqueeze(sigmoid(log_sum - unsqueeze(sink, -1)), -1);
}

Variable output_of(const FusedTerm& term, const Variable& v, const FusedOptions& options) {
  const auto& [score, q, k, parameters] = term.form;
  if (!term.sink.defined()) return times(term.factor, fused_attention(score, q, k, v, options));
  const auto [output, log_sum] = fused_attention_and_log_sum(score, q, k, v, options);
  return times(term.factor, output * left_by(term.sink, log_sum));
}

}  // namespace

// Dropout drops from the sum of all weights, so it is the same in each term.
Variable Attention::fused(const std::vector<FusedTerm>& terms, const Variable& v, const ResolvedMask& mask,
                          std::int64_t offset) {
  if (terms.empty()) fail<ValueError>("attention: this score has no fused form, as {}", score.why_not_fused());
  const Generator before = dropout.generator;
  Variable total;
  for (const FusedTerm& term : terms) {
    dropout.generator = before;
    FusedOptions options = options_of(term.form, mask, offset);
    options.dropout = dropout.training ? dropout.p : 0;
    options.generator = &dropout.generator;
    const Variable one = output_of(term, v, options);
    total = total.defined() ? total + one : one;
  }
  return total;
}

Tensor weights_of(const std::vector<FusedTerm>& terms, const Variable& v, const ResolvedMask& mask, std::int64_t offset,
                  const std::vector<std::int64_t>& queries) {
  const NoGrad no_grad;
  Variable total;
  for (const auto& [form, factor, sink] : terms) {
    const auto& [score, q, k, parameters] = form;
    const FusedOptions options = options_of(form, mask, offset);
    Variable one = times(factor, fused_weights(score, q, k, v, queries, options));
    if (sink.defined()) {
      const Variable left = left_by(sink, fused_attention_and_log_sum(score, q, k, v, options).log_sum);
      const Tensor rows =
          tensor(std::vector<double>(queries.begin(), queries.end()), {std::ssize(queries)}, DType::i64);
      one = one * index_select(left, -2, rows);
    }
    total = total.defined() ? total + one : one;
  }
  return total.value();
}

}  // namespace regard::nn
