#pragma once

#include "autograd/observe.h"
#include "autograd/ops/arithmetic.h"
#include "nn/attention/fused_rows.h"

namespace regard::nn {

// What one call of attention did, for whoever watches.
struct Sight {
  using Rows = std::function<Tensor(const std::vector<std::int64_t>& queries)>;  // → (…, queries, Lk)

  const void* module;  // the attention: where it lies in memory tells its name
  std::size_t bytes;
  Variable output, weights;         // as attention returns them: fused attention has no weights
  Tensor scores = {};               // before softmax, (…, Lq, Lk), masked pairs too; of fused attention undefined
  Rows rows = {}, score_rows = {};  // of fused attention: weights and scores of some queries, computed again
  ScoreFormula formula = {};
  Tensor v = {};            // (…, Lk, Dv)
  std::int64_t offset = 0;  // the position of the first query
  bool dropped = false;     // dropout took part
  bool cross = false;       // the keys are known to be other tokens than the queries
};

// An observer of attention. Attention does its work as if there were none.
class AttentionWatch : public Observer {
 public:
  virtual void saw(const Sight& sight) = 0;
  // The one sequence of a batch that it looks at, so that of fused attention no more need be kept; −1 for all.
  virtual std::int64_t sequence_of(const Shape&) const { return -1; }
};

// The next of this thread from an observer on; null if nobody watches.
inline AttentionWatch* attention_watch(Observer* from = newest_observer) {
  while (from && !dynamic_cast<AttentionWatch*>(from)) from = from->older();
  return dynamic_cast<AttentionWatch*>(from);
}

template <class S>
concept HasFormula = requires(const S& score, const Variable& x) {
  { score.formula(x, x) } -> std::same_as<ScoreFormula>;
};

// The formula of a score, where nothing is added to it and softmax follows.
template <AnyScore S>
ScoreFormula formula_of(const S& score, const Variable& q, const Variable& k, const ResolvedMask& mask) {
  if constexpr (HasFormula<S> && !Normalizing<S>)
    if (!mask.bias.defined()) return score.formula(q, k);
  return {};
}

// The scores are made a second time: what attention itself does stays as short as it is.
template <AnyScore S>
void tell_composed(AttentionWatch& watch, Sight sight, const S& score, const Variable& q, const Variable& k,
                   const ResolvedMask& mask) {
  const NoGrad no_grad;
  const Variable scores = evaluate(score, q, k, sight.offset);
  sight.scores = (mask.bias.defined() ? scores + mask.bias : scores).value();
  sight.formula = formula_of(score, q, k, mask);
  watch.saw(sight);
}

template <AnyScore S, class Form>
void tell_fused(AttentionWatch& watch, Sight sight, const S& score, const Form& form, const Variable& q,
                const Variable& k, const ResolvedMask& mask) {
  const NoGrad no_grad;
  Shape scores = q.shape();
  scores[scores.rank() - 1] = k.size(-2);
  const auto at = sight.offset, sequence = watch.sequence_of(scores);
  const ResolvedMask still = frozen(mask, scores, sequence);
  const Form of_now = frozen(form, at, sequence);
  sight.rows = [=, v = Variable(frozen(sight.v, sequence))](const std::vector<std::int64_t>& queries) {
    return weights_of(of_now, v, still, at, queries);
  };
  if constexpr (std::is_same_v<Form, FusedForm>)
    sight.score_rows = [=](const std::vector<std::int64_t>& queries) { return scores_of(of_now, still, at, queries); };
  sight.formula = formula_of(score, q, k, mask);
  watch.saw(sight);
}

}  // namespace regard::nn
