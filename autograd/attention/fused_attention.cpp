#include "autograd/attention/fused_attention.h"

#include "autograd/attention/call.h"
#include "autograd/attention/pairs.h"
#include "autograd/fused/masked_softmax.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "autograd/twin.h"
#include "tensor/attention/engine/passes.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace regard {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// x, which learns from visible pairs only. A hidden pair has the gradient 0, and 0 times an infinite slope is NaN: so
// what is hidden becomes a constant. Queries, keys and parameters do, so that no NaN goes on to them. The scores do
// too, so that none comes back from there where gradients are differentiated.
Variable learning_from_visible(const Variable& x, const Tensor& keep) { return where(keep, x, detach(x)); }

// The scores of all pairs, (…, Lq, Lk).
Variable scores_of(const FusedCall& call, const graph::Inputs& in, const Shape& pairs, const Tensor& keep) {
  const DType dtype = in[0].dtype();
  Shape every_pair = pairs;
  every_pair.push_back(in[0].size(-1));
  const bool hides = keep.numel() > 0 && min(keep).item() == 0;
  const auto learning = [&](const Variable& x) {
    return hides && x.defined() ? learning_from_visible(expand(x, every_pair), unsqueeze(keep, -1)) : x;
  };
  std::vector<Variable> numbers;
  for (std::size_t n = 0; n < call.score.numbers.size(); ++n) {
    const Variable& line = in[call.lines_at() + n];
    numbers.push_back(call.score.numbers[n].of_tokens ? pairs_of_tokens(line, pairs.back(2), dtype)
                                                      : pairs_of_line(line, pairs.back(2), pairs.back()));
  }
  Variable parameters = call.parameters(in);  // (…, Lk, D), or fewer axes
  if (parameters.defined() && parameters.rank() > 1) parameters = unsqueeze(parameters, -3);
  const Variable i = add(arange(pairs.back(2), dtype), double(call.offset));
  const Tensor heads =
      pairs.rank() >= 4 ? reshape(arange(pairs.back(3), dtype), {pairs.back(3), 1, 1}) : zeros({}, dtype);
  const Variable scores = call.score.composed({.q = learning(unsqueeze(in[0], -2)),
                                               .k = learning(unsqueeze(in[1], -3)),
                                               .parameters = learning(parameters),
                                               .i = unsqueeze(i, 1),
                                               .j = unsqueeze(Variable(arange(pairs.back(), dtype)), 0),
                                               .h = heads,
                                               .numbers = numbers});
  return hides ? learning_from_visible(scores, keep) : scores;
}

struct Composed {
  Variable scores, weights;
};

// The weights of all pairs, and their scores. A weight that is 0 to the last bit does not move with its score, so its
// pair has no part in any gradient, as if it were hidden: then the scores are made once more, and it becomes a constant
// as well.
Composed weights_of(const FusedCall& call, const graph::Inputs& in, const Shape& pairs, const Tensor& keep) {
  const auto learning_from = [&](const Tensor& visible) {
    const Variable plain = scores_of(call, in, pairs, visible), scores = call.has_bias ? plain + call.bias(in) : plain;
    return Composed{scores, masked_softmax(scores, 1, keep)};
  };
  const Composed made = learning_from(keep);
  const Tensor counts = not_equal(made.weights.value(), 0);
  return all(less_equal(keep, counts)).item() == 1 ? made : learning_from(counts);
}

// log Σ eˢ over what is visible, (…, Lq). The largest score is taken off first: as a constant, since it cancels.
Variable log_sum_of(const Variable& scores, const Tensor& keep) {
  if (scores.size(-1) == 0) return full({}, -infinity, scores.dtype());
  const Tensor seen = where(keep, scores.value(), -infinity);
  const Tensor largest = max(seen, -1, keepdim), is_blind = equal(largest, -infinity);
  const Tensor shift = where(is_blind, 0, largest);
  const Variable powers = exp(pairs::kept(scores - Variable(shift), keep));  // none of what is hidden, which may be ∞
  const Variable total = sum(pairs::kept(powers, keep), -1, keepdim);
  const Variable log_sum = log(where(is_blind, 1, total)) + Variable(shift);
  return squeeze(where(is_blind, -infinity, log_sum), -1);
}

// The output, (…, Lq, Dv); and with log Σ eˢ behind it, (…, Lq, Dv + 1).
Variable composed(const FusedCall& call, const graph::Inputs& given, bool with_log_sum) {
  graph::Inputs in = given;
  for (const std::size_t shared : {1, 2}) in[shared] = pairs::for_all_queries(in[0], in[shared]);
  const Shape pairs = pairs::shape_of(in[0], in[1], in[2]);
  const DType dtype = in[0].dtype();
  const Tensor keep = visible_table(call.visible, pairs, dtype);
  auto [scores, weights] = weights_of(call, in, pairs, keep);
  if (call.dropout) {
    Generator generator = call.dropout->generator;
    const double keeps = 1 - call.dropout->p;
    weights = weights * Variable(bernoulli(weights.shape(), generator, keeps, 1 / keeps, dtype));
  }
  const Variable output =
      pairs::mix(weights, pairs::without_unseen_keys(in[2], seen_keys(call.visible, pairs, dtype)), keep);
  return with_log_sum ? cat({output, unsqueeze(log_sum_of(scores, keep), -1)}, -1) : output;
}

// The gradients that are wanted, by tiles.
graph::Gradients gradients(const FusedCall& call, const Saved& saved, const AttentionForward& forward,
                           const ArrivingGradients& arriving) {
  const auto lines = saved.inputs.begin() + static_cast<std::ptrdiff_t>(call.lines_at());
  const WantedGradients wanted{saved.wants(0),
                               saved.wants(1),
                               saved.wants(2),
                               call.has_parameters && saved.wants(3),
                               call.has_bias && saved.wants(call.bias_at()),
                               std::any_of(lines, saved.inputs.end(), std::mem_fn(&Variable::requires_grad))};
  const AttentionGradients to = with_tiles(call.score, arriving.output.dtype(), [&](const auto& tiles) {
    return attention_gradients(call.values(saved.inputs), tiles, forward, arriving, wanted);
  });
  graph::Gradients list;
  const auto put = [&](const Tensor& x) { list.push_back(x.defined() ? Variable(x) : Variable()); };
  for (const Tensor* x : {&to.q, &to.k, &to.v}) put(*x);
  if (call.has_parameters) put(to.parameters);
  if (call.has_bias) put(to.bias);
  for (const Tensor& line : to.lines) put(line);
  list.resize(saved.inputs.size());
  return list;
}

struct Computed {
  std::shared_ptr<const FusedCall> call;  // of the rule and of the twin
  graph::Inputs inputs;
  AttentionForward made;
};

Computed compute(const char* name, const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                 const FusedOptions& options) {
  auto [checked, inputs] = checked_call(name, score, q, k, v, options);
  const auto call = std::make_shared<const FusedCall>(std::move(checked));
  const AttentionInputs in = call->values(inputs);
  return {call, inputs, with_tiles(score, q.dtype(), [&](const auto& tiles) { return attention_forward(in, tiles); })};
}

// The operation with this value: the output, (…, Lq, Dv), or with log Σ eˢ behind it, (…, Lq, Dv + 1), so that both
// share one pass on the way back.
Variable recorded(const OpInfo& info, const Computed& of, Tensor value, bool with_log_sum) {
  const auto rule = [call = of.call, shifts = of.made.shifts, shares = of.made.shares, with_log_sum](
                        const Variable& g, const Saved& saved) {
    const Tensor &made = saved.output.value(), &arriving = g.value();
    if (!with_log_sum) return gradients(*call, saved, {made, shifts, shares}, {arriving});
    const std::int64_t size = made.size(-1) - 1;
    return gradients(*call, saved, {slice(made, -1, 0, size), shifts, shares},
                     {slice(arriving, -1, 0, size), select(arriving, -1, size)});
  };
  const auto twin = [call = of.call, with_log_sum](const graph::Inputs& in) {
    return composed(*call, in, with_log_sum);
  };
  return record(info, of.inputs, std::move(value), with_twin(twin, rule));
}

}  // namespace

Variable composed_scores(const FusedScore& score, const Variable& q, const Variable& k, const FusedOptions& options) {
  const FusedOptions of_scores{.parameters = options.parameters, .offset = options.offset};
  const Variable keys = pairs::for_all_queries(q, k);
  const auto [call, inputs] = checked_call("composed_scores", score, q, keys, keys, of_scores);
  const Shape pairs = pairs::shape_of(inputs[0], inputs[1], inputs[1]);
  return scores_of(call, inputs, pairs, ones({1, 1}, q.dtype()));
}

Variable composed_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                            const FusedOptions& options) {
  const auto [call, inputs] = checked_call("composed_attention", score, q, k, v, options);
  return composed(call, inputs, false);
}

// With weights w = softmax(s) and y = Σⱼ wⱼ·vⱼ, for one query:  ∂vⱼ = wⱼ·g. Moving sⱼ moves wᵢ by wᵢ·(δᵢⱼ − wⱼ), so
// ∂sⱼ = wⱼ·(g·vⱼ − Σᵢ wᵢ·g·vᵢ) = wⱼ·(g·vⱼ − g·y). From there the score's own slopes lead on: ∂q = Σⱼ ∂sⱼ·∂f/∂q, and so
// on for k and the parameters; the bias was added, so its gradient is ∂s.
Variable fused_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                         const FusedOptions& options) {
  const Computed of = compute("fused_attention", score, q, k, v, options);
  return recorded(op("fused_attention"), of, of.made.output, false);
}

// Moving sⱼ moves log Σ eˢ by wⱼ: what arrives there, h, adds wⱼ·h to ∂sⱼ, so ∂sⱼ = wⱼ·(g·vⱼ − (g·y − h)).
AttentionAndLogSum fused_attention_and_log_sum(const FusedScore& score, const Variable& q, const Variable& k,
                                               const Variable& v, const FusedOptions& options) {
  const Computed of = compute("fused_attention_and_log_sum", score, q, k, v, options);
  const AttentionForward& made = of.made;
  const std::int64_t size = made.output.size(-1);
  const Tensor log_sum = where(equal(made.shares, 0), -infinity, made.shifts - log(made.shares));
  const Variable both =
      recorded(op("fused_attention_and_log_sum"), of, cat({made.output, unsqueeze(log_sum, -1)}, -1), true);
  return {slice(both, -1, 0, size), select(both, -1, size)};
}

Tensor fused_weights(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                     const std::vector<std::int64_t>& queries, const FusedOptions& options) {
  FusedOptions without_dropout = options;
  without_dropout.dropout = 0;
  const CheckedCall checked = checked_call("fused_weights", score, q, k, v, without_dropout);
  for (const std::int64_t i : queries)
    if (i < 0 || i >= q.size(-2)) fail<ValueError>("fused_weights: query {} of {}", i, q.size(-2));
  const AttentionInputs in = checked.call.values(checked.inputs);
  return with_tiles(score, in.q.dtype(), [&](const auto& tiles) {
    return attention_rows(in, tiles, attention_forward(in, tiles), queries);
  });
}

}  // namespace regard
