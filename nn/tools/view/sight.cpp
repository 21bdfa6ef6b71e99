#include "nn/tools/view/recording.h"

#include "autograd/attention/pairs.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "nn/attention/attention.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

namespace regard::nn {
namespace {

Variable value_of(const Variable& x) { return x.defined() ? detach(x) : x; }

// x, of which the first axis is that of sequences if it has as many axes as the scores, or that sequence of it alone: a
// copy, so that the others can go.
Variable kept_of(const Variable& x, int rank, std::int64_t sequence) {
  if (!x.defined() || sequence < 0 || rank < 3 || x.rank() < rank || x.size(0) == 1) return value_of(x);
  return cat({slice(x.value(), 0, sequence, sequence + 1)}, 0);
}

// The line of numbers of this call. Those of a part of its queries are a piece of it, and of tokens two pieces.
PairNumber frozen_number(const PairNumber& number, const PairGrid& grid, int rank, std::int64_t sequence) {
  const Variable whole = number.line("attention", grid);
  const Variable line = number.of_tokens ? squeeze(kept_of(unsqueeze(whole, -1), rank, sequence), -1) : detach(whole);
  if (number.of_tokens)
    return {[line, grid](const char*, const PairGrid& asked) {
              const std::int64_t begin = asked.offset - grid.offset;
              return cat({slice(line, -1, begin, begin + asked.queries), slice(line, -1, grid.queries)}, -1);
            },
            true};
  return {[line, first = grid.least_ahead()](const char*, const PairGrid& asked) {
    const std::int64_t begin = asked.least_ahead() - first;
    return slice(line, -1, begin, begin + asked.distances());
  }};
}

// The scores of some queries before softmax, with what the mask adds; masked pairs too.
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

// The same with the numbers of now, cut off from parameters that may go on learning. `sequence`: of a batch that one
// alone is kept, as a batch of one; −1 for all.
FusedForm frozen(const FusedForm& form, std::int64_t offset, std::int64_t sequence) {
  const auto mine = [rank = form.q.rank(), sequence](const Variable& x) { return kept_of(x, rank, sequence); };
  FusedForm still{form.score, mine(form.q), mine(form.k), mine(form.parameters)};
  const std::int64_t heads = form.q.rank() >= 4 ? form.q.size(-3) : 1;  // as in a call
  for (PairNumber& number : still.score.numbers)
    number = frozen_number(number, {form.q.size(-2), form.k.size(-2), heads, offset}, form.q.rank(), sequence);
  return still;
}

std::vector<FusedTerm> frozen(const std::vector<FusedTerm>& terms, std::int64_t offset, std::int64_t sequence) {
  std::vector<FusedTerm> still;
  for (const FusedTerm& term : terms)
    still.push_back(
        {frozen(term.form, offset, sequence), kept_of(term.factor, term.form.q.rank(), sequence), value_of(term.sink)});
  return still;
}

ResolvedMask frozen(const ResolvedMask& mask, const Shape& scores, std::int64_t sequence) {
  ResolvedMask still{.visible = mask.visible, .bias = kept_of(mask.bias, scores.rank(), sequence)};
  Visible& visible = still.visible;
  if (visible.keep.defined()) visible.keep = kept_of(visible.keep, scores.rank(), sequence).value();
  if (sequence >= 0 && visible.per_sequence && !visible.ranges.empty()) {
    const auto take_own = [&, from = sequence * scores.back(2), count = scores.back(2)](auto& all) {
      if (!all.empty()) all = {all.begin() + from, all.begin() + from + count};
    };
    take_own(visible.ranges);
    take_own(visible.begins);
  }
  return still;
}

// A score that is a formula says so in its fused form, where nothing is added to it.
ScoreFormula formula_of(const std::vector<FusedTerm>& terms, const ResolvedMask& mask) {
  using Kind = ScoreFormula::Kind;
  if (terms.size() != 1 || terms[0].sink.defined() || mask.bias.defined()) return {};
  const auto& [score, q, k, parameters] = terms[0].form;
  ScoreFormula formula{.factor = score.factor, .q = q.value(), .k = k.value()};
  if (score.formula == PairFormula::dot) formula.kind = Kind::dot;
  if (score.formula == PairFormula::additive) {
    formula.kind = Kind::additive;
    formula.w = flatten(parameters).value();
  }
  if (score.formula == PairFormula::squared_distance) {
    formula.kind = Kind::gaussian;
    if (!parameters.defined()) return formula;
    const Tensor each = parameters.value();  // θ = −½·w²: (), or (Lk, 1)
    if (each.rank() > 2 || (each.rank() == 2 && each.size(1) != 1) || max(each).item() > 0) return {};
    formula.factor = 0.5;
    formula.w = sqrt(each.rank() == 2 ? select(each, 1, 0) * -2.0 : each * -2.0);
  }
  return formula.kind == Kind::other ? ScoreFormula{} : formula;
}

// (H, queries, Lk) of what computes some rows of a call.
RecordedAttention::Rows rows_of_sequence(const RecordedAttention::Rows& rows, const Shape& call,
                                         std::int64_t sequence) {
  return [=](const std::vector<std::int64_t>& queries) { return of_sequence(rows(queries), call, sequence); };
}

}  // namespace

Tensor of_sequence(const Tensor& x, const Shape& call, std::int64_t sequence) {
  if (!x.defined()) return x;
  const bool in_batch = call.rank() > 2 && x.rank() == call.rank();
  const Tensor mine = in_batch ? select(x, 0, x.size(0) == 1 ? 0 : sequence) : x;
  const Tensor copy = cat({mine}, 0);
  const std::int64_t heads = call.rank() == 4 ? call[1] : 1;
  return expand(copy.rank() == 2 ? unsqueeze(copy, 0) : copy, {heads, x.size(-2), x.size(-1)});
}

RecordedAttention sight_of(const Attended& call, std::int64_t sequence) {
  const NoGrad no_grad;
  const Variable& weights = call.made.weights;
  const Shape shape = weights.defined() ? weights.shape() : call.made.output.shape();
  const ResolvedMask all = call.mask ? *call.mask : ResolvedMask{};
  const Variable k = pairs::for_all_queries(call.q, call.k), v = pairs::for_all_queries(call.q, call.v);
  const bool can_be_fused = call.score->why_not_fused().empty();
  const std::vector<FusedTerm> terms =
      can_be_fused ? call.score->terms(call.q, k, call.offset) : std::vector<FusedTerm>();
  RecordedAttention one{.formula = formula_of(terms, all), .offset = call.offset};
  one.formula.q = of_sequence(one.formula.q, shape, sequence);
  one.formula.k = of_sequence(one.formula.k, shape, sequence);
  one.heads = shape.rank() == 4 ? shape[1] : 1;
  one.query_count = shape.back(2);
  one.key_count = v.size(-2);
  if (weights.defined()) {
    Variable scores = (*call.score)(call.q, k, call.offset);
    if (all.bias.defined()) scores = scores + all.bias;
    if (scores.shape() == shape) one.scores = of_sequence(scores.value(), shape, sequence);
    one.weights = of_sequence(weights.value(), shape, sequence);
    return one;
  }
  one.values = of_sequence(v.value(), shape, sequence);
  Shape scores = call.q.shape();
  scores[scores.rank() - 1] = k.size(-2);
  const ResolvedMask still = frozen(all, scores, sequence);
  const std::vector<FusedTerm> of_now = frozen(terms, call.offset, sequence);
  const Variable values = kept_of(v, v.rank(), sequence);
  const auto weight_rows = [=, at = call.offset](const std::vector<std::int64_t>& queries) {
    return weights_of(of_now, values, still, at, queries);
  };
  const auto score_rows = [=, at = call.offset](const std::vector<std::int64_t>& queries) {
    return scores_of(of_now[0].form, still, at, queries);
  };
  one.rows = rows_of_sequence(weight_rows, shape, sequence);
  if (of_now.size() == 1) one.score_rows = rows_of_sequence(score_rows, shape, sequence);
  return one;
}

}  // namespace regard::nn
