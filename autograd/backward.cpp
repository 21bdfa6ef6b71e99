#include "autograd/backward.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/record.h"
#include "autograd/state.h"
#include "tensor/arithmetic.h"
#include "tensor/create.h"
#include "tensor/pointwise.h"
#include "tensor/reduce.h"

#include <algorithm>
#include <map>
#include <optional>

namespace regard {
namespace {

struct Arrival {
  Variable variable;
  Variable gradient;  // the sum of what has arrived so far
};

// The Variables that have received a gradient and were not visited yet, latest first.
class Arrivals {
 public:
  void add(const Variable& variable, const Variable& gradient) {
    auto [place, is_new] = waiting_.try_emplace(variable.order(), variable, gradient);
    if (!is_new) place->second.gradient = place->second.gradient + gradient;
  }

  bool empty() const { return waiting_.empty(); }
  Arrival take() { return std::move(waiting_.extract(waiting_.begin()).mapped()); }

 private:
  std::map<std::uint64_t, Arrival, std::greater<>> waiting_;
};

void require_fit(const OpInfo& op, std::size_t i, const Variable& input, const Variable& gradient) {
  if (gradient.shape() != input.shape() || gradient.dtype() != input.dtype())
    fail<ShapeError>("backward: the rule of '{}' returned a gradient {} {} for input {}, which is {} {}", op.name,
                     gradient.dtype(), gradient.shape(), i, input.dtype(), input.shape());
}

void require_no_new_nan(const Node& node, const Variable& arrived, const Variable& returned, std::size_t i) {
  const auto holds_nan = [](const Variable& x) { return sum(is_nan(x.value())).item() > 0; };
  if (!holds_nan(returned) || holds_nan(arrived)) return;
  fail<ValueError>("anomaly: the rule of '{}' ({}) made the first NaN, in the gradient of input {} {}; recorded in {}",
                   node.op.name, node.op.rule, i, node.inputs[i].shape(),
                   node.site ? *node.site : "an operation before anomaly mode was on");
}

Gradients apply_rule(const Node& node, const Arrival& arrival) {
  if (node.freed)
    fail<ValueError>(
        "backward: the graph behind '{}' {} was freed by an earlier backward pass (give that one .keep_graph "
        "= true)",
        node.op.name, arrival.variable.shape());
  if (sum_of_versions(node.inputs) != node.input_versions)
    fail<ValueError>("backward: an input of '{}' was assigned a new value after it was used (run backward first)",
                     node.op.name);
  Gradients gradients = node.rule(arrival.gradient, Saved{node.inputs, arrival.variable});
  if (gradients.size() != node.inputs.size())
    fail<ValueError>("backward: the rule of '{}' returned {} gradients for {} inputs", node.op.name, gradients.size(),
                     node.inputs.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) continue;
    require_fit(node.op, i, node.inputs[i], gradients[i]);
    if (anomaly_mode()) require_no_new_nan(node, arrival.gradient, gradients[i], i);
  }
  return gradients;
}

void run_hooks(Arrival& arrival) {
  const auto hooks = *Walker::state(arrival.variable).hooks;  // a copy: a hook may remove itself
  for (const auto& [number, hook] : hooks) {
    Variable replacement = hook(arrival.gradient);
    if (!replacement.defined()) continue;
    if (replacement.shape() != arrival.gradient.shape() || replacement.dtype() != arrival.gradient.dtype())
      fail<ShapeError>("on_gradient: the hook replaced a gradient {} {} by {} {}", arrival.gradient.dtype(),
                       arrival.gradient.shape(), replacement.dtype(), replacement.shape());
    arrival.gradient = std::move(replacement);
  }
}

// Visits what the outputs were made from, by falling order, down to `earliest`. visit(arrival) sees each Variable with
// its complete gradient.
template <class Visit>
void walk(Arrivals arrivals, bool keep_graph, bool create_graph, std::uint64_t earliest, Visit visit) {
  std::optional<NoGrad> values_only;
  if (!create_graph) values_only.emplace();
  while (!arrivals.empty()) {
    Arrival arrival = arrivals.take();
    if (arrival.variable.order() < earliest) break;
    auto& state = Walker::state(arrival.variable);
    if (state.hooks) run_hooks(arrival);
    visit(arrival);
    Node* node = state.node.get();
    if (!node || arrival.variable.order() == earliest) continue;
    const Gradients gradients = apply_rule(*node, arrival);
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (gradients[i].defined() && node->inputs[i].requires_grad()) arrivals.add(node->inputs[i], gradients[i]);
    if (keep_graph || create_graph) continue;
    node->freed = true;
    node->rule = nullptr;
    node->inputs.clear();
  }
}

// The gradient that a pass starts with at an output.
Variable start(const char* operation, const Variable& output, const Variable& given) {
  if (!output.requires_grad())
    fail<ValueError>("{}: the output {} depends on nothing that requires a gradient", operation, output.shape());
  if (!given.defined()) {
    if (output.numel() == 1) return ones_like(output.value());
    fail<ShapeError>(
        "{}: the output {} is not a single number, so the gradient to start with must be given (or reduce "
        "it, as with sum)",
        operation, output.shape());
  }
  if (given.shape() != output.shape() || given.dtype() != output.dtype())
    fail<ShapeError>("{}: a gradient {} {} does not fit the output, which is {} {}", operation, given.dtype(),
                     given.shape(), output.dtype(), output.shape());
  return given;
}

}  // namespace

void Variable::backward() const { backward({}); }

void Variable::backward(const BackwardOptions& options) const {
  Arrivals arrivals;
  arrivals.add(*this, start("backward", *this, options.gradient));
  walk(std::move(arrivals), options.keep_graph, options.create_graph, 0, [](const Arrival& arrival) {
    State& state = Walker::state(arrival.variable);
    if (!state.node) state.gradient = state.gradient.defined() ? state.gradient + arrival.gradient : arrival.gradient;
  });
}

std::vector<Variable> grad(const std::vector<Variable>& outputs, const std::vector<Variable>& inputs,
                           const GradOptions& options) {
  if (!options.gradients.empty() && options.gradients.size() != outputs.size())
    fail<ValueError>("grad: {} gradients were given for {} outputs", options.gradients.size(), outputs.size());
  Arrivals arrivals;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    arrivals.add(outputs[i], start("grad", outputs[i], options.gradients.empty() ? Variable() : options.gradients[i]));

  std::uint64_t earliest = UINT64_MAX;  // nothing before the first input can matter
  for (const Variable& input : inputs) earliest = std::min(earliest, input.order());
  std::vector<Variable> result(inputs.size());
  walk(std::move(arrivals), options.keep_graph, options.create_graph, earliest, [&](const Arrival& arrival) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].same_as(arrival.variable)) result[i] = arrival.gradient;
  });

  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (result[i].defined()) continue;
    if (!options.allow_unused)
      fail<ValueError>("grad: no output depends on input {} {} (with .allow_unused = true its gradient is zero)", i,
                       inputs[i].shape());
    result[i] = zeros_like(inputs[i].value());
  }
  return result;
}

}  // namespace regard
