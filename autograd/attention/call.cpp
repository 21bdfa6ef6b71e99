#include "autograd/attention/call.h"

#include "autograd/attention/pairs.h"
#include "autograd/attention/score.h"

namespace regard {
namespace {

bool broadcasts_to(const Shape& given, const Shape& all) {
  bool fits = given.rank() <= all.rank();
  for (int i = 1; fits && i <= given.rank(); ++i) fits = given.back(i) == 1 || given.back(i) == all.back(i);
  return fits;
}

void require_parameters(const char* name, const FusedScore& score, const Variable& k, const Shape& keys,
                        const Variable& parameters) {
  if (score.needs_parameters && !parameters.defined())
    fail<ValueError>("{}: the score has parameters, and none are given", name);
  if (!parameters.defined()) return;
  if (!score.needs_parameters)
    fail<ValueError>("{}: parameters {} are given, and the score has none", name, parameters.shape());
  require_same_dtype(name, k.value(), parameters.value());
  if (!broadcasts_to(parameters.shape(), keys))
    fail<ShapeError>("{}: parameters {} do not broadcast to keys {}", name, parameters.shape(), keys);
}

// A table or a bias for scores (…, Lq, Lk) must be of their dtype, and of a shape that broadcasts to theirs. The loops
// trust this: they read where the shape of the scores sends them.
void require_broadcasts(const char* name, const char* what, const Tensor& x, const Shape& scores, DType dtype) {
  if (!x.defined()) return;
  if (x.dtype() != dtype)
    fail<DTypeError>("{}: the mask's {} is {}, and the scores are {}", name, what, x.dtype(), dtype);
  if (x.rank() < 2 || !broadcasts_to(x.shape(), scores))
    fail<ShapeError>("{}: the mask's {} {} does not broadcast to scores {}", name, what, x.shape(), scores);
}

void require_mask_fits(const char* name, const ResolvedMask& mask, const Shape& scores, DType dtype) {
  const Visible& visible = mask.visible;
  const std::int64_t sequences = visible.per_sequence && scores.rank() > 2 ? scores[0] : 1;
  const std::int64_t wanted = sequences * scores.back(2);
  if (visible.per_sequence && scores.rank() < 3)
    fail<ShapeError>("{}: the mask has ranges for each sequence, and scores {} have none", name, scores);
  if (!visible.ranges.empty() && std::ssize(visible.ranges) != wanted)
    fail<ShapeError>("{}: the mask has {} ranges, and scores {} need {}: one for each query{}", name,
                     visible.ranges.size(), scores, wanted, visible.per_sequence ? " of each sequence" : "");
  if (!visible.begins.empty() && visible.begins.size() != visible.ranges.size())
    fail<ShapeError>("{}: the mask has {} begins, and {} ranges: there must be one for each", name,
                     visible.begins.size(), visible.ranges.size());
  require_broadcasts(name, "table", visible.keep, scores, dtype);
  if (mask.bias.defined()) require_broadcasts(name, "bias", mask.bias.value(), scores, dtype);
}

void require_tokens_fit(const char* name, const Shape& numbers, const Shape& scores) {
  if (numbers.rank() < 1 || !broadcasts_to(numbers.with(-1, 1), scores.without(-1)))
    fail<ShapeError>("{}: numbers {} of queries and keys do not broadcast to scores {}", name, numbers, scores);
}

// The lines of the score's numbers. The axis of heads is the last one in front, as in q.
void push_lines(const char* name, const FusedScore& score, const Shape& scores, std::int64_t offset,
                graph::Inputs& inputs) {
  const PairGrid grid{scores.back(2), scores.back(), scores.rank() >= 4 ? scores.back(3) : 1, offset};
  for (const PairNumber& number : score.numbers) {
    const Variable line = number.line(name, grid);
    if (!number.of_tokens || line.dtype() != DType::f64) require_same_dtype(name, inputs[0].value(), line.value());
    if (number.of_tokens) require_tokens_fit(name, line.shape(), scores);
    inputs.push_back(line);
  }
}

// Whether keys and values differ from queries by the number of heads alone, and alike: then the engine shares them out.
bool only_heads_share(const Variable& q, const Variable& k, const Variable& v) {
  const Shape& keys = k.shape();
  if (keys.rank() < 4 || v.size(-3) != k.size(-3)) return false;
  bool fits = true;
  for (int i = 0; i < keys.rank() - 3; ++i) fits = fits && keys[i] == q.shape()[i] && v.shape()[i] == q.shape()[i];
  return fits;
}

}  // namespace

AttentionInputs FusedCall::values(const graph::Inputs& in) const {
  AttentionInputs values{.q = in[0].value(), .k = in[1].value(), .v = in[2].value()};
  if (has_parameters) values.parameters = parameters(in).value();
  if (has_bias) values.bias = bias(in).value();
  values.visible = visible;
  values.offset = offset;
  values.dropout = dropout;
  for (std::size_t n = 0; n < score.numbers.size(); ++n)
    values.lines.push_back({in[lines_at() + n].value(), score.numbers[n].of_tokens});
  return values;
}

CheckedCall checked_call(const char* name, const FusedScore& score, const Variable& q, const Variable& given_k,
                         const Variable& given_v, const FusedOptions& o) {
  require_score(name, score);
  for (const auto& [letter, x] : {std::pair{"q", &q}, {"k", &given_k}, {"v", &given_v}})
    require_defined(name, *x, letter);
  const Shape scores = pairs::shape_of(q, given_k, given_v);
  Variable k = given_k, v = given_v;
  if (!only_heads_share(q, k, v)) k = pairs::for_all_queries(q, k), v = pairs::for_all_queries(q, v);
  for (const Variable* x : {&k, &v}) require_same_dtype(name, q.value(), x->value());
  if (q.size(-1) != k.size(-1))
    fail<ShapeError>("{}: q {}, k {}: queries and keys must have as many features", name, q.shape(), k.shape());
  if (!is_float(q.dtype())) fail<DTypeError>("{}: q is {}: it must be f32 or f64", name, q.dtype());
  const Shape keys = k.rank() >= 4 ? k.shape().with(-3, q.size(-3)) : k.shape();  // for each head its own
  require_parameters(name, score, k, keys, o.parameters);
  if (!(o.dropout >= 0 && o.dropout < 1) || (o.dropout > 0 && !o.generator))
    fail<ValueError>("{}: dropout {}: it must be 0 or more and below 1, and needs a generator", name, o.dropout);

  ResolvedMask mask = o.mask ? o.mask(scores, q.dtype(), o.offset) : ResolvedMask{};
  require_mask_fits(name, mask, scores, q.dtype());
  CheckedCall checked{{score, std::move(mask.visible), o.offset, {}, o.parameters.defined(), mask.bias.defined()},
                      {q, k, v}};
  if (o.parameters.defined()) checked.inputs.push_back(o.parameters);
  if (mask.bias.defined()) checked.inputs.push_back(mask.bias);
  push_lines(name, score, scores, o.offset, checked.inputs);
  if (o.dropout > 0) {
    checked.call.dropout = WeightDropout{o.dropout, *o.generator};
    o.generator->take(static_cast<std::uint64_t>((scores.numel() + 3) / 4));
  }
  return checked;
}

}  // namespace regard
