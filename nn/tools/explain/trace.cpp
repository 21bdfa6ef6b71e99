#include "nn/tools/explain/trace.h"

#include "autograd/ancestors.h"
#include "autograd/backward.h"
#include "autograd/elements.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/reduce.h"
#include "tensor/create.h"

#include <map>

namespace regard::graph {

Trace trace(const char* asking, const Variable& output) {
  require_defined(asking, output);
  std::map<std::uint64_t, Variable> found;  // by order: inputs before results
  graph::for_each_ancestor({output}, [&](const Variable& x) {
    if (x.node() && x.node()->freed)
      fail<ValueError>("{}: the graph behind '{}' {} was freed by a backward pass (give that one .keep_graph = true)",
                       asking, x.node()->op.name, x.shape());
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

void pass_back(Trace& steps, const PassBack& options) {
  const NoGrad rules_are_not_recorded;
  std::vector<bool> is_made_from_it(steps.size(), options.to == 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].gradient = {}, steps[i].passed.clear();
    is_made_from_it[i] = is_made_from_it[i] || i == options.to;
    for (const std::size_t input : steps[i].inputs)
      if (is_made_from_it[input] && steps[input].result.requires_grad()) is_made_from_it[i] = true;
  }
  Step& output = steps.back();
  output.gradient = options.start.defined() ? options.start : Variable(ones_like(output.result.value()));
  for (std::size_t i = steps.size() - 1; i > options.to; --i) {
    Step& step = steps[i];
    if (!step.gradient.defined() || !step.op()) continue;
    if (options.begin) options.begin(i);
    step.passed = apply_rule(step.result, step.gradient);
    for (std::size_t n = 0; n < step.inputs.size(); ++n) {
      Variable& sum = steps[step.inputs[n]].gradient;
      if (!steps[step.inputs[n]].result.requires_grad() || !is_made_from_it[step.inputs[n]]) continue;
      sum = sum.defined() ? sum + step.passed[n] : step.passed[n];
    }
    if (!options.keep) step.gradient = {}, step.passed.clear();
    if (options.done) options.done(i);
  }
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
  list[index] = only(steps[index].result.value(), element, 1);
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
