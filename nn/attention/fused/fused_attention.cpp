#include "nn/attention/fused/fused_attention.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "autograd/twin.h"
#include "nn/attention/skeleton.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/attention/engine/inputs.h"
#include "tensor/create.h"
#include "tensor/random/random.h"
#include "tensor/ops/reduce.h"

namespace regard::nn {
namespace {

constexpr OpInfo fused_info{"fused_attention", "softmax(Σ f(q, k, θ))·v", "∂s = w·(g·v − g·o), and duals for q, k, θ"};

// All that does not change from the forward to the backward pass.
struct Setting {
  FusedScore score;
  Sight sight;
  std::int64_t offset;
  std::optional<WeightDropout> dropout;
  bool has_parameters, has_bias;  // inputs 3 and, after it, 4
};

Variable parameters_of(const Setting& setting, const auto& inputs) {
  return setting.has_parameters ? inputs[3] : Variable();
}
Variable bias_of(const Setting& setting, const auto& inputs) {
  return setting.has_bias ? inputs[setting.has_parameters ? 4 : 3] : Variable();
}

AttentionInputs values(const Setting& setting, const auto& inputs) {
  AttentionInputs in{inputs[0].value(), inputs[1].value(), inputs[2].value()};
  if (setting.has_parameters) in.parameters = parameters_of(setting, inputs).value();
  in.sight = setting.sight;
  if (setting.has_bias) in.sight.bias = bias_of(setting, inputs).value();
  in.offset = setting.offset;
  in.dropout = setting.dropout;
  return in;
}

// 1 where a query may see a key: what the kernels never hold.
Tensor whole_mask(const Sight& sight, const Shape& scores, DType dtype) {
  Tensor keep = sight.keep.defined() ? sight.keep : ones({1, 1}, dtype);
  if (sight.hidden) {
    const Tensor query =
        reshape(add(arange(scores.back(2), dtype), static_cast<double>(*sight.hidden)), {scores.back(2), 1});
    keep = multiply(keep, not_equal(query, arange(scores.back(), dtype)));
  }
  if (sight.ranges.empty()) return keep;
  std::vector<double> first, last;
  for (const KeyRange& range : sight.ranges) {
    first.push_back(static_cast<double>(range.first));
    last.push_back(static_cast<double>(range.last));
  }
  Shape shape = Shape::filled(scores.rank(), 1);
  shape[scores.rank() - 2] = scores.back(2);
  if (sight.per_sequence) shape[0] = scores[0];
  const Tensor keys = arange(scores.back(), dtype);
  const Tensor after = greater_equal(keys, tensor(first, shape, dtype)),
               before = less(keys, tensor(last, shape, dtype));
  return multiply(keep, multiply(after, before));
}

// x for all pairs, (…, Lq, Lk, D), of which gradients come back through those that are kept only. A masked pair has the
// gradient 0, which times an infinite slope is NaN: so it is left out, not multiplied.
Variable learning_from_kept(const Variable& x, const Shape& pairs, const Tensor& keep) {
  const Variable each = expand(x, pairs);
  return record(op("where"), {each}, each.value(), [keep = unsqueeze(keep, -1)](const Variable& grad, const Saved&) {
    return gradients(kept(grad, keep));
  });
}

Variable composed(const Setting& setting, const auto& inputs) {
  const Variable &q = inputs[0], &k = inputs[1], &v = inputs[2];
  const DType dtype = q.dtype();
  const Shape pairs = scores_shape(q, k, v);
  const Tensor keep = whole_mask(setting.sight, pairs, dtype);
  Shape features = pairs;
  features.push_back(q.size(-1));
  const bool hides = keep.numel() > 0 && min(keep).item() == 0;
  const auto kept_only = [&](const Variable& x) {
    return hides && x.defined() ? learning_from_kept(x, features, keep) : x;
  };
  Variable scores = setting.score.composed(kept_only(unsqueeze(q, -2)), kept_only(unsqueeze(k, -3)),
                                           kept_only(parameters_of(setting, inputs)));
  if (setting.score.modify) {
    const Variable i = add(arange(pairs.back(2), dtype), static_cast<double>(setting.offset));
    const Variable h = pairs.rank() >= 4 ? Variable(reshape(arange(pairs.back(3), dtype), {pairs.back(3), 1, 1}))
                                         : Variable(zeros({}, dtype));
    scores = setting.score.modify(scores, unsqueeze(i, 1), unsqueeze(Variable(arange(pairs.back(), dtype)), 0), h);
  }
  if (setting.has_bias) scores = scores + bias_of(setting, inputs);
  Variable weights = masked_softmax(scores, 1, keep);
  if (setting.dropout) {
    Generator generator = setting.dropout->generator;
    const double keeps = 1 - setting.dropout->p;
    weights = weights * Variable(bernoulli(weights.shape(), generator, keeps, 1 / keeps, dtype));
  }
  return mix(weights, without_unseen_keys(v, keep), keep);
}

template <class Use>
auto with_tiles(const FusedScore& score, DType dtype, const Use& use) {
  return dtype == DType::f64 ? use(*score.f64) : use(*score.f32);
}

struct Call {
  Setting setting;
  std::vector<Variable> inputs;
};

Call prepare(const char* name, const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
             const FusedOptions& o) {
  if (!score.f32 || !score.f64 || !score.composed) fail<ValueError>("{}: the score is empty", name);
  for (const auto& [letter, x] : {std::pair{"q", &q}, {"k", &k}, {"v", &v}})
    if (!x->defined()) fail<ValueError>("{}: {} is undefined", name, letter);
  const Shape pairs = scores_shape(q, k, v);
  for (const Variable* x : {&k, &v}) require_same_dtype(name, q.value(), x->value());
  if (q.size(-1) != k.size(-1))
    fail<ShapeError>("{}: q {}, k {}: queries and keys must have as many features", name, q.shape(), k.shape());
  if (!is_float(q.dtype())) fail<DTypeError>("{}: q is {}: it must be f32 or f64", name, q.dtype());
  Call call{{score, {}, o.offset, {}, o.parameters.defined(), false}, {q, k, v}};
  if (score.needs_parameters && !o.parameters.defined())
    fail<ValueError>("{}: the score has parameters, and none are given", name);
  if (!score.needs_parameters && o.parameters.defined())
    fail<ValueError>("{}: parameters {} are given, and the score has none", name, o.parameters.shape());
  if (o.parameters.defined()) {
    const Shape rows{k.size(-2), k.size(-1)}, &given = o.parameters.shape();
    require_same_dtype(name, q.value(), o.parameters.value());
    if (given.rank() > 2 || broadcast(fmt::format("{}: parameters", name).c_str(), given, rows) != rows)
      fail<ShapeError>("{}: parameters {}: they must broadcast to (Lk, D) = {}", name, given, rows);
    call.inputs.push_back(o.parameters);
  }
  Mask::Seen seen = o.mask.at(o.offset).see(pairs, q.dtype());
  call.setting.sight = std::move(seen.sight);
  call.setting.has_bias = seen.bias.defined();
  if (seen.bias.defined()) call.inputs.push_back(seen.bias);
  if (!(o.dropout >= 0 && o.dropout < 1) || (o.dropout > 0 && !o.generator))
    fail<ValueError>("{}: dropout {}: it must be 0 or more and below 1, and needs a generator", name, o.dropout);
  if (o.dropout > 0) {
    call.setting.dropout = WeightDropout{o.dropout, *o.generator};
    o.generator->take(static_cast<std::uint64_t>((pairs.numel() + 3) / 4));
  }
  return call;
}

}  // namespace

Variable composed_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                            const FusedOptions& options) {
  const Call call = prepare("composed_attention", score, q, k, v, options);
  return composed(call.setting, call.inputs);
}

Variable fused_attention(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                         const FusedOptions& options) {
  const auto [setting, inputs] = prepare("fused_attention", score, q, k, v, options);
  const AttentionInputs in = values(setting, inputs);
  const AttentionForward made =
      with_tiles(score, q.dtype(), [&](const auto& tiles) { return attention_forward(in, tiles); });
  return record(fused_info, inputs, made.output,
                [kept = setting, shifts = made.shifts, shares = made.shares](const Variable& grad, const Saved& saved) {
                  if (is_recording())
                    return twin_gradients([=](const auto& names) { return composed(kept, names); }, grad, saved);
                  const std::size_t bias = kept.has_parameters ? 4 : 3;
                  const WantedGradients wanted{saved.wants(0), saved.wants(1), saved.wants(2),
                                               kept.has_parameters && saved.wants(3),
                                               kept.has_bias && saved.wants(bias)};
                  const AttentionForward forward{saved.output.value(), shifts, shares};
                  const AttentionGradients to = with_tiles(kept.score, grad.dtype(), [&](const auto& tiles) {
                    return attention_gradients(values(kept, saved.inputs), tiles, forward, grad.value(), wanted);
                  });
                  Gradients list(saved.inputs.size());
                  const auto put = [&](std::size_t i, bool is_wanted, const Tensor& x) {
                    if (is_wanted) list[i] = x;
                  };
                  put(0, wanted.q, to.q);
                  put(1, wanted.k, to.k);
                  put(2, wanted.v, to.v);
                  put(3, wanted.parameters, to.parameters);
                  put(bias, wanted.bias, to.bias);
                  return list;
                });
}

namespace {

template <class Take>
Tensor take_weights(const char* name, const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                    FusedOptions options, const Take& take) {
  options.dropout = 0;
  const auto [setting, inputs] = prepare(name, score, q, k, v, options);
  const AttentionInputs in = values(setting, inputs);
  return with_tiles(score, q.dtype(), [&](const auto& tiles) { return take(in, tiles); });
}

}  // namespace

Tensor fused_weights(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                     const std::vector<std::int64_t>& queries, const FusedOptions& options) {
  const auto rows = [&](const AttentionInputs& in, const auto& tiles) {
    for (const std::int64_t i : queries)
      if (i < 0 || i >= in.q.size(-2)) fail<ValueError>("fused_weights: query {} of {}", i, in.q.size(-2));
    return attention_rows(in, tiles, attention_forward(in, tiles), queries);
  };
  return take_weights("fused_weights", score, q, k, v, options, rows);
}

Tensor fused_map(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v, std::int64_t height,
                 std::int64_t width, const FusedOptions& options) {
  const auto map = [&](const AttentionInputs& in, const auto& tiles) {
    const std::int64_t queries = in.q.size(-2), keys = in.k.size(-2);
    if (height < 1 || width < 1 || height > queries || width > keys)
      fail<ValueError>("fused_map: ({}, {}) for {} queries and {} keys: cells must hold some", height, width, queries,
                       keys);
    return attention_map(in, tiles, attention_forward(in, tiles), height, width);
  };
  return take_weights("fused_map", score, q, k, v, options, map);
}

}  // namespace regard::nn
