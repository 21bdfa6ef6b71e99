#include "nn/tools/view/recording.h"

#include "autograd/attention/pairs.h"
#include "autograd/ops/view.h"
#include "nn/attention/attention.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard::nn {
namespace {

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

// Weights of fused attention, of a few queries at a time: of the whole batch there are never all pairs at once.
Tensor fused_rows(const Attended& call, const std::vector<FusedTerm>& terms, const ResolvedMask& mask,
                  std::int64_t sequence, const std::vector<std::int64_t>& queries) {
  constexpr std::int64_t pairs_at_once = 1 << 21;
  const Variable v = pairs::for_all_queries(call.q, call.v);
  const Shape shape = call.made.output.shape();
  std::int64_t pairs = std::max<std::int64_t>(1, v.size(-2));  // of one query
  for (int axis = 0; axis + 2 < shape.rank(); ++axis) pairs *= shape[axis];
  const std::int64_t step = std::max<std::int64_t>(1, pairs_at_once / pairs), count = std::ssize(queries);
  std::vector<Tensor> rows;
  for (std::int64_t begin = 0; begin < count; begin += step) {
    const std::int64_t end = std::min(begin + step, count);
    const std::vector<std::int64_t> some(queries.begin() + begin, queries.begin() + end);
    rows.push_back(of_sequence(weights_of(terms, v, mask, call.offset, some), shape, sequence));
  }
  return rows.empty() ? zeros({shape.rank() == 4 ? shape[1] : 1, 0, v.size(-2)}) : cat(rows, 1);
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

RecordedAttention sight_of(const Attended& call, std::int64_t sequence, const std::vector<std::int64_t>& queries) {
  const NoGrad no_grad;
  const Shape shape = call.made.output.shape();
  const ResolvedMask mask = call.mask ? *call.mask : ResolvedMask{};
  std::vector<FusedTerm> terms;
  if (call.score->why_not_fused().empty())
    terms = call.score->terms(call.q, pairs::for_all_queries(call.q, call.k), call.offset);
  const bool all = std::ssize(queries) == call.q.size(-2);
  RecordedAttention one{.formula = all ? formula_of(terms, mask) : ScoreFormula(), .offset = call.offset};
  one.formula.q = of_sequence(one.formula.q, shape, sequence);
  one.formula.k = of_sequence(one.formula.k, shape, sequence);
  if (!call.made.weights.defined()) {
    one.weights = fused_rows(call, terms, mask, sequence, queries);
    return one;
  }
  const Tensor weights = of_sequence(call.made.weights.value(), shape, sequence);
  std::vector<Tensor> rows;
  for (const std::int64_t i : queries) rows.push_back(slice(weights, 1, i, i + 1));
  one.weights = all ? weights : cat(rows, 1);
  return one;
}

}  // namespace regard::nn
