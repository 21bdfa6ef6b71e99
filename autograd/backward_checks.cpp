// What a walk back does beside its mathematics: it checks what must hold, and tells observers and hooks.
#include "autograd/ops/arithmetic.h"
#include "autograd/state.h"
#include "autograd/walk.h"
#include "tensor/create.h"

namespace regard::graph {

void check_before_rule(const Variable& result) {
  if (result.is_leaf()) fail<ValueError>("apply_rule: {} is a leaf: no operation made it", result.shape());
  const Node& node = *result.node();
  if (node.freed)
    fail<ValueError>(
        "backward: the graph behind '{}' {} was freed by an earlier backward pass (give that one .keep_graph "
        "= true)",
        node.op.name, result.shape());
  if (sum_of_versions(node.inputs) != node.input_versions)
    fail<ValueError>("backward: an input of '{}' was assigned a new value after it was used (run backward first)",
                     node.op.name);
}

void check_after_rule(const Variable& result, const Gradients& gradients) {
  const Node& node = *result.node();
  if (gradients.size() != node.inputs.size())
    fail<ValueError>("backward: the rule of '{}' returned {} gradients for {} inputs", node.op.name, gradients.size(),
                     node.inputs.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const Variable &input = node.inputs[i], &gradient = gradients[i];
    if (!input.requires_grad()) continue;
    if (!gradient.defined())
      fail<ValueError>("backward: the rule of '{}' left the gradient of input {} undefined, but it is wanted",
                       node.op.name, i);
    if (gradient.shape() != input.shape() || gradient.dtype() != input.dtype())
      fail<ShapeError>("backward: the rule of '{}' returned a gradient {} {} for input {}, which is {} {}",
                       node.op.name, gradient.dtype(), gradient.shape(), i, input.dtype(), input.shape());
  }
}

void tell_of_rule(const Variable& result, const Variable& arrived, const Gradients& gradients) {
  const Inputs& inputs = result.node()->inputs;
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (inputs[i].requires_grad())
      observe({.by = GradientMade::By::rule,
               .of = inputs[i],
               .made = gradients[i],
               .arrived = arrived,
               .result = result,
               .input = i});
}

Variable sum_at(const Variable& x, const Variable& first, const Variable& second) {
  Variable sum;
  {
    InsideRule guard;
    sum = first + second;
  }
  observe({.by = GradientMade::By::sum, .of = x, .made = sum, .arrived = first, .next = second});
  return sum;
}

Arrival after_hooks(Arrival arrival) {
  auto& [x, gradient] = arrival;
  if (!StateAccess::of(x).hooks) return arrival;
  const auto hooks = *StateAccess::of(x).hooks;  // a copy: a hook may remove itself
  for (const auto& [number, hook] : hooks) {
    const Variable returned = hook(gradient);
    if (!returned.defined()) continue;
    if (returned.shape() != gradient.shape() || returned.dtype() != gradient.dtype())
      fail<ShapeError>("on_gradient: the hook replaced a gradient {} {} by {} {}", gradient.dtype(), gradient.shape(),
                       returned.dtype(), returned.shape());
    observe({.by = GradientMade::By::hook, .of = x, .made = returned, .arrived = gradient});
    gradient = returned;
  }
  return arrival;
}

Variable start(const char* function, const Variable& output, const Variable& given, bool create_graph) {
  if (!output.requires_grad())
    fail<ValueError>("{}: the output {} depends on nothing that requires a gradient", function, output.shape());
  if (!given.defined() && output.numel() != 1)
    fail<ShapeError>(
        "{}: the output {} is not a single number, so the gradient to start with must be given (or reduce "
        "it, as with sum)",
        function, output.shape());
  if (given.defined() && (given.shape() != output.shape() || given.dtype() != output.dtype()))
    fail<ShapeError>("{}: a gradient {} {} does not fit the output, which is {} {}", function, given.dtype(),
                     given.shape(), output.dtype(), output.shape());
  const Variable first = given.defined() ? (create_graph ? given : detach(given)) : ones_like(output.value());
  observe({.by = GradientMade::By::start, .of = output, .made = first, .function = function});
  return first;
}

}  // namespace regard::graph
