#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/attention/attention.h"
#include "tensor/create.h"

#include <numeric>

// The fused form of attention: a sum of terms, of which most scores have one.
namespace regard::nn {
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

Tensor weights_of(const std::vector<FusedTerm>& terms, const Variable& v, const ResolvedMask& mask,
                  std::int64_t offset) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(terms.front().form.q.size(-2)));
  std::iota(all.begin(), all.end(), 0);
  return weights_of(terms, v, mask, offset, all);
}

}  // namespace regard::nn
