#include "autograd/attention/fused_attention.h"

#include "autograd/attention/call.h"
#include "autograd/attention/pairs.h"
#include "autograd/fused/masked_softmax.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "autograd/twin.h"
#include "tensor/attention/engine/backward.h"
#include "tensor/attention/engine/forward.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"

namespace regard {
namespace {

// x for all pairs, (…, Lq, Lk, D), which learns from visible pairs only. A hidden pair has the gradient 0, and 0 times
// an infinite slope is NaN: so what is hidden becomes a constant.
Variable learning_from_visible(const Variable& x, const Shape& every_pair, const Tensor& keep) {
  const Variable each = expand(x, every_pair);
  return where(unsqueeze(keep, -1), each, detach(each));
}

// The scores of all pairs, (…, Lq, Lk).
Variable scores_of(const AttentionCall& call, const graph::Inputs& in, const Shape& pairs, const Tensor& keep) {
  Shape every_pair = pairs;
  every_pair.push_back(in[0].size(-1));
  const bool hides = keep.numel() > 0 && min(keep).item() == 0;
  const auto learning = [&](const Variable& x) {
    return hides && x.defined() ? learning_from_visible(x, every_pair, keep) : x;
  };
  const Variable parameters = call.parameters(in);
  return call.score.composed(learning(unsqueeze(in[0], -2)), learning(unsqueeze(in[1], -3)), learning(parameters));
}

Variable modified_scores(const AttentionCall& call, const Variable& scores) {
  const Shape& pairs = scores.shape();
  const DType dtype = scores.dtype();
  const Variable i = add(arange(pairs.back(2), dtype), static_cast<double>(call.offset));
  const Variable h = pairs.rank() >= 4 ? Variable(reshape(arange(pairs.back(3), dtype), {pairs.back(3), 1, 1}))
                                       : Variable(zeros({}, dtype));
  return call.score.modify(scores, unsqueeze(i, 1), unsqueeze(Variable(arange(pairs.back(), dtype)), 0), h);
}

Variable composed(const AttentionCall& call, const graph::Inputs& in) {
  const Shape pairs = pairs::shape_of(in[0], in[1], in[2]);
  const DType dtype = in[0].dtype();
  const Tensor keep = visible_table(call.visible, pairs, dtype);
  Variable scores = scores_of(call, in, pairs, keep);
  if (call.score.modify) scores = modified_scores(call, scores);
  if (call.has_bias) scores = scores + call.bias(in);
  Variable weights = masked_softmax(scores, 1, keep);
  if (call.dropout) {
    Generator generator = call.dropout->generator;
    const double keeps = 1 - call.dropout->p;
    weights = weights * Variable(bernoulli(weights.shape(), generator, keeps, 1 / keeps, dtype));
  }
  return pairs::mix(weights, pairs::without_unseen_keys(in[2], seen_keys(call.visible, pairs, dtype)), keep);
}

}  // namespace

Variable composed_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                            const FusedOptions& options) {
  const auto [call, inputs] = checked_call("composed_attention", score, q, k, v, options);
  return composed(call, inputs);
}

// With weights w = softmax(s) and y = Σⱼ wⱼ·vⱼ, for one query:  ∂vⱼ = wⱼ·g. Moving sⱼ moves wᵢ by wᵢ·(δᵢⱼ − wⱼ), so
// ∂sⱼ = wⱼ·(g·vⱼ − Σᵢ wᵢ·g·vᵢ) = wⱼ·(g·vⱼ − g·y). From there the score's own slopes lead on: ∂q = Σⱼ ∂sⱼ·∂f/∂q, and so
// on for k and the parameters; the bias was added, so its gradient is ∂s.
Variable fused_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                         const FusedOptions& options) {
  auto [checked, inputs] = checked_call("fused_attention", score, q, k, v, options);
  const auto shared = std::make_shared<const AttentionCall>(std::move(checked));  // by the rule and the twin
  const AttentionInputs in = shared->values(inputs);
  const AttentionForward made =
      with_tiles(score, q.dtype(), [&](const auto& tiles) { return attention_forward(in, tiles); });
  const auto rule = [shared, shifts = made.shifts, shares = made.shares](const Variable& grad, const Saved& saved) {
    const AttentionCall& call = *shared;
    const WantedGradients wanted{saved.wants(0), saved.wants(1), saved.wants(2), call.has_parameters && saved.wants(3),
                                 call.has_bias && saved.wants(call.bias_at())};
    const AttentionForward forward{saved.output.value(), shifts, shares};
    const AttentionGradients to = with_tiles(call.score, grad.dtype(), [&](const auto& tiles) {
      return attention_gradients(call.values(saved.inputs), tiles, forward, grad.value(), wanted);
    });
    graph::Gradients list(saved.inputs.size());
    const auto put = [&](std::size_t i, bool is_wanted, const Tensor& x) {
      if (is_wanted) list[i] = x;
    };
    put(0, wanted.q, to.q);
    put(1, wanted.k, to.k);
    put(2, wanted.v, to.v);
    put(3, wanted.parameters, to.parameters);
    put(call.bias_at(), wanted.bias, to.bias);
    return list;
  };
  const auto twin = [shared](const graph::Inputs& names) { return composed(*shared, names); };
  return record(op("fused_attention"), inputs, made.output, with_twin(twin, rule));
}

}  // namespace regard
