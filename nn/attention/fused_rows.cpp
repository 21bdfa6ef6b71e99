#include "nn/attention/fused_rows.h"

#include "autograd/attention/weights.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"

#include <numeric>

namespace regard::nn {
namespace {

Variable value_of(const Variable& x) { return x.defined() ? detach(x) : x; }

// x, of which the first axis is that of sequences if it has as many axes as the scores, or that sequence of it alone: a
// copy, so that the others can go.
Variable kept_of(const Variable& x, int rank, std::int64_t sequence) {
  if (!x.defined() || sequence < 0 || rank < 3 || x.rank() < rank || x.size(0) == 1) return value_of(x);
  return cat({slice(x.value(), 0, sequence, sequence + 1)}, 0);
}

// The line of numbers of this call. Those of a part of its queries are a piece of it.
PairNumber frozen_number(const PairNumber& number, const PairPlaces& places) {
  return
      [line = detach(number("attention", places)), first = places.least_ahead()](const char*, const PairPlaces& asked) {
        const std::int64_t begin = asked.least_ahead() - first;
        return slice(line, -1, begin, begin + asked.distances());
      };
}

}  // namespace

FusedOptions options_of(const FusedForm& form, const ResolvedMask& mask, std::int64_t offset) {
  return {.parameters = form.parameters,
          .mask = [&mask](const Shape&, DType, std::int64_t) { return mask; },
          .offset = offset};
}

Tensor weights_of(const FusedForm& form, const Variable& v, const ResolvedMask& mask, std::int64_t offset,
                  const std::vector<std::int64_t>& queries) {
  return fused_weights(form.score, form.q, form.k, v, queries, options_of(form, mask, offset));
}

Tensor weights_of(const std::vector<FusedTerm>& terms, const Variable& v, const ResolvedMask& mask, std::int64_t offset,
                  const std::vector<std::int64_t>& queries) {
  Tensor total;
  for (const FusedTerm& term : terms) {
    const Tensor one = term.factor.value() * weights_of(term.form, v, mask, offset, queries);
    total = total.defined() ? total + one : one;
  }
  return total;
}

Tensor scores_of(const FusedForm& form, const ResolvedMask& mask, std::int64_t offset,
                 const std::vector<std::int64_t>& queries) {
  const NoGrad no_grad;
  std::vector<Tensor> rows;
  for (const std::int64_t i : queries) {
    Variable row = composed_scores(form.score, slice(form.q, -2, i, i + 1), form.k,
                                   {.parameters = form.parameters, .offset = offset + i});
    if (mask.bias.defined()) {
      const bool for_all = mask.bias.rank() < 2 || mask.bias.size(-2) == 1;
      row = row + (for_all ? mask.bias : slice(mask.bias, -2, i, i + 1));
    }
    rows.push_back(row.value());
  }
  return cat(rows, -2);
}

std::vector<std::int64_t> all_queries(const Variable& q) {
  std::vector<std::int64_t> every(static_cast<std::size_t>(q.size(-2)));
  std::iota(every.begin(), every.end(), 0);
  return every;
}

FusedForm frozen(const FusedForm& form, std::int64_t offset, std::int64_t sequence) {
  const auto mine = [rank = form.q.rank(), sequence](const Variable& x) { return kept_of(x, rank, sequence); };
  FusedForm still{form.score, mine(form.q), mine(form.k), mine(form.parameters)};
  const std::int64_t heads = form.q.rank() >= 4 ? form.q.size(-3) : 1;  // as in a call
  for (PairNumber& number : still.score.numbers)
    number = frozen_number(number, {form.q.size(-2), form.k.size(-2), heads, offset});
  return still;
}

std::vector<FusedTerm> frozen(const std::vector<FusedTerm>& terms, std::int64_t offset, std::int64_t sequence) {
  std::vector<FusedTerm> still;
  for (const FusedTerm& term : terms)
    still.push_back({frozen(term.form, offset, sequence), kept_of(term.factor, term.form.q.rank(), sequence)});
  return still;
}

ResolvedMask frozen(const ResolvedMask& mask, const Shape& scores, std::int64_t sequence) {
  ResolvedMask still{.visible = mask.visible, .bias = kept_of(mask.bias, scores.rank(), sequence)};
  Visible& visible = still.visible;
  if (visible.keep.defined()) visible.keep = kept_of(visible.keep, scores.rank(), sequence).value();
  if (sequence >= 0 && visible.per_sequence && !visible.ranges.empty()) {
    const auto first = mask.visible.ranges.begin() + sequence * scores.back(2);
    visible.ranges.assign(first, first + scores.back(2));
  }
  return still;
}

Tensor frozen(const Tensor& v, std::int64_t sequence) { return kept_of(v, v.rank(), sequence).value(); }

}  // namespace regard::nn
