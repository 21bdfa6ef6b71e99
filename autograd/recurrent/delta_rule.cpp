#include "autograd/recurrent/delta_rule.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "autograd/twin.h"
#include "tensor/create.h"
#include "tensor/recurrent/delta_rule.h"

namespace regard {
namespace {

Tensor value_of(const Variable& x) { return x.defined() ? x.value() : Tensor(); }

// The inputs, with a state in any case.
DeltaOptions checked(const Variable& q, const Variable& k, const Variable& v, DeltaOptions options) {
  require_defined("delta_rule", q, "q");
  require_defined("delta_rule", k, "k");
  require_defined("delta_rule", v, "v");
  if (!options.state.defined() && q.rank() >= 2 && v.rank() == q.rank())
    options.state = zeros(q.shape().with(-2, q.size(-1)).with(-1, v.size(-1)), q.dtype());
  require_delta_rule(
      {q.value(), k.value(), v.value(), value_of(options.beta), value_of(options.log_decay), value_of(options.state)});
  return options;
}

// Output and, below it, the state: one result of one operation, so that they share one way back.
Variable composed(const Variable& q, const Variable& k, const Variable& v, const DeltaOptions& options) {
  // book: delta_rule
  Variable state = options.state;  // (…, Dk, Dv)
  std::vector<Variable> parts;
  for (std::int64_t t = 0; t < q.size(-2); ++t) {
    const auto row = [&](const Variable& x) { return slice(x, q.rank() - 2, t, t + 1); };  // (…, 1, D), or (…, 1)
    const auto column = [&](const Variable& x) {
      return x.rank() == q.rank() ? transpose(row(x)) : unsqueeze(row(x), -1);
    };
    if (options.log_decay.defined()) state = exp(column(options.log_decay)) * state;
    const Variable seen = matmul(row(k), state);
    const Variable written = options.beta.defined() ? column(options.beta) * (row(v) - seen) : row(v);
    state = state + matmul(column(k), written);
    parts.push_back(matmul(row(q), state));
  }
  parts.push_back(state);
  return cat(parts, -2);
  // book: /delta_rule
}

OutputAndState apart(const Variable& both, std::int64_t length) {
  return {slice(both, -2, 0, length), slice(both, -2, length)};
}

}  // namespace

OutputAndState delta_rule_composed(const Variable& q, const Variable& k, const Variable& v, const DeltaOptions& given) {
  return apart(composed(q, k, v, checked(q, k, v, given)), q.size(-2));
}

// On the way back D is the gradient of S from all that comes later. o = Sᵀ·q adds q·gᵀ to D, and ∂q = S·g. From
// S ← S + k·uᵀ come ∂u = Dᵀ·k and ∂k = D·u. u = β·(v − seen) leads to ∂v = β·∂u, ∂β = ∂u·(v − seen) and, through seen
// = Sᵀ·k, to ∂k −= S·∂v and D −= k·∂vᵀ. Fading leads to ∂log a = Σ S ⊙ D, over all of S or over each row, where S has
// faded already, and to D ← a ⊙ D. tensor/recurrent/delta_chunk.h takes 64 of these steps at a time.
OutputAndState delta_rule(const Variable& q, const Variable& k, const Variable& v, const DeltaOptions& given) {
  const DeltaOptions options = checked(q, k, v, given);
  const bool has_beta = options.beta.defined(), has_decay = options.log_decay.defined();
  const auto options_of = [=](const graph::Inputs& in) {
    return DeltaOptions{has_beta ? in[4] : Variable(), has_decay ? in.back() : Variable(), in[3]};
  };
  const auto values_of = [=](const graph::Inputs& in) {
    const DeltaOptions its = options_of(in);
    return DeltaInputs{in[0].value(),      in[1].value(),           in[2].value(),
                       value_of(its.beta), value_of(its.log_decay), its.state.value()};
  };
  graph::Inputs inputs{q, k, v, options.state};
  if (has_beta) inputs.push_back(options.beta);
  if (has_decay) inputs.push_back(options.log_decay);
  const DeltaResult made = delta_rule(values_of(inputs), must_record(inputs));
  const auto twin = [=](const graph::Inputs& in) { return composed(in[0], in[1], in[2], options_of(in)); };
  const auto rule = [=, states = made.states](const Variable& g, const Saved& saved) {
    const DeltaInputs to = delta_rule_gradients(g.value(), values_of(saved.inputs), {saved.output.value(), states});
    graph::Gradients list = gradients(to.q, to.k, to.v, to.state);
    if (has_beta) list.emplace_back(to.beta);
    if (has_decay) list.emplace_back(to.log_decay);
    return list;
  };
  return apart(record(op("delta_rule"), inputs, made.outputs, with_twin(twin, rule)), q.size(-2));
}

}  // namespace regard
