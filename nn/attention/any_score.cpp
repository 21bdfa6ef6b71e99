#include "nn/attention/any_score.h"

#include "autograd/fused/masked_softmax.h"

namespace regard::nn {

FusedForm AnyScore::fused(const Variable& q, const Variable& k, std::int64_t offset) const {
  std::vector<FusedTerm> all = terms(q, k, offset);
  if (all.size() != 1 || all[0].factor.defined() || all[0].sink.defined())
    fail<ValueError>("attention: this score has no fused form, as {}", why_not_fused(Terms::one));
  return std::move(all[0].form);
}

Variable softmax_over_keys(const Variable& scores, const Tensor& keep) { return masked_softmax(scores, 1, keep); }

Variable scores_of_form(const FusedForm& form, std::int64_t offset) {
  return composed_scores(form.score, form.q, form.k, {.parameters = form.parameters, .offset = offset});
}

}  // namespace regard::nn
