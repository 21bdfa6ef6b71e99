#include "nn/tools/explain/trace.h"

#include "autograd/ancestors.h"
#include "autograd/backward.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/reduce.h"
#include "tensor/create.h"

#include <map>
#include <utility>

namespace regard::graph {
namespace {

void require_kept(const char* asking, const Variable& x) {
  if (x.node() && x.node()->freed)
    fail<ValueError>("{}: the graph behind '{}' {} was freed by a backward pass (give that one .keep_graph = true)",
                     asking, x.node()->op.name, x.shape());
}

}  // namespace

Trace trace(const char* asking, const Variable& output) {
  require_defined(asking, output);
  std::map<std::uint64_t, Variable> found;  // by order: inputs before results
  graph::for_each_ancestor({output}, [&](const Variable& x) {
    require_kept(asking, x);
    return found.emplace(x.order(), x).second;
  });
  Trace steps;
  std::map<std::uint64_t, std::size_t> indexes;
  for (const auto& [order, x] : found) {
    indexes[order] = steps.size();
    steps.push_back({x, {}});
    if (!x.node()) continue;
    for (const Variable& input : x.node()->inputs) steps.back().inputs.push_back(indexes.at(input.order()));
  }
  return steps;
}

std::size_t index_in(const Trace& steps, const Variable& x) {
  std::size_t index = 0;
  while (index < steps.size() && !steps[index].result.same_as(x)) ++index;
  return index;
}

void pass_back(Trace& steps, const Variable& start) {
  const NoGrad rules_are_not_recorded;
  for (Step& step : steps) step.gradient = {}, step.passed.clear();
  const Variable& output = steps.back().result;
  steps.back().gradient = start.defined() ? start : Variable(ones_like(output.value()));
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (!steps[i].gradient.defined() || !steps[i].op()) continue;
    steps[i].passed = apply_rule(steps[i].result, steps[i].gradient);
    for (std::size_t n = 0; n < steps[i].inputs.size(); ++n) {
      Step& input = steps[steps[i].inputs[n]];
      if (!input.result.requires_grad()) continue;
      const Variable& more = steps[i].passed[n];
      input.gradient = input.gradient.defined() ? input.gradient + more : more;
    }
  }
}

Variable gradient_at(const Trace& steps, std::size_t index, const Variable& start) {
  const NoGrad rules_are_not_recorded;
  std::vector<bool> is_made_from_it(steps.size(), false);
  if (index < steps.size()) is_made_from_it[index] = true;
  for (std::size_t i = index + 1; i < steps.size(); ++i)
    for (const std::size_t input : steps[i].inputs)
      if (is_made_from_it[input] && steps[input].result.requires_grad()) is_made_from_it[i] = true;
  std::vector<Variable> arrived(steps.size());
  if (is_made_from_it.back()) arrived.back() = start;
  for (std::size_t i = steps.size(); i-- > index + 1;) {
    const Variable gradient = std::exchange(arrived[i], {});
    if (!gradient.defined()) continue;
    const Gradients passed = apply_rule(steps[i].result, gradient);
    for (std::size_t n = 0; n < steps[i].inputs.size(); ++n) {
      if (!is_made_from_it[steps[i].inputs[n]]) continue;
      Variable& sum = arrived[steps[i].inputs[n]];
      sum = sum.defined() ? sum + passed[n] : passed[n];
    }
  }
  return index < steps.size() ? arrived[index] : Variable();
}

Tensor push_forward(const Variable& result, const std::vector<Tensor>& input_tangents) {
  const SetRecording rules_are_recorded(true);
  const Variable g = parameter(ones_like(result.value()));
  const Gradients passed = apply_rule(result, g);
  Variable product;
  for (std::size_t i = 0; i < passed.size(); ++i) {
    if (!input_tangents[i].defined() || !result.node()->inputs[i].requires_grad()) continue;
    if (!passed[i].requires_grad() && any(passed[i].value()).item() == 1)
      fail<ValueError>(
          "push_forward: the rule of '{}' computes with values, so it has no derivative of its own (write "
          "it with Variables)",
          result.node()->op.name);
    const Variable part = sum(passed[i] * input_tangents[i]);
    product = product.defined() ? product + part : part;
  }
  if (!product.defined() || !product.requires_grad()) return zeros_like(result.value());  // its rule passes on zeros
  return grad({product}, {g}, {.allow_unused = true})[0].value();
}

std::vector<Tensor> tangents(const Trace& steps, std::size_t index, std::int64_t element) {
  std::vector<Tensor> list(steps.size());
  const Tensor& x = steps[index].result.value();
  std::vector<double> one(static_cast<std::size_t>(x.numel()), 0.0);
  one[static_cast<std::size_t>(element)] = 1;
  list[index] = regard::tensor(one, x.shape(), x.dtype());
  for (std::size_t i = index + 1; i < steps.size(); ++i) {
    std::vector<Tensor> of_inputs;
    bool moves = false;
    for (const std::size_t input : steps[i].inputs) {
      of_inputs.push_back(list[input]);
      moves = moves || list[input].defined();
    }
    if (moves && steps[i].result.requires_grad()) list[i] = push_forward(steps[i].result, of_inputs);
  }
  return list;
}

}  // namespace regard::graph
