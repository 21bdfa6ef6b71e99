#include "autograd/backward.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/state.h"
#include "autograd/walk.h"

#include <algorithm>
#include <mutex>

namespace regard {

// book: walk
// Visits what the outputs were made from, newest first.
void graph::walk(Arrivals arrivals, const Walk& how) {
  const auto wants = [&](const Variable& x) { return x.requires_grad() && how.leads_on(x); };
  while (!arrivals.empty()) {
    const Arrival arrival = after_hooks(arrivals.take());
    how.visit(arrival);
    Node* node = StateAccess::of(arrival.variable).node.get();
    if (!node || !(node->freed || std::any_of(node->inputs.begin(), node->inputs.end(), wants))) continue;
    const Gradients gradients = apply_rule(arrival.variable, arrival.gradient);  // an error if the node is freed
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (wants(node->inputs[i])) arrivals.add(node->inputs[i], gradients[i]);
    if (!how.keep_graph) let_go(*node);
  }
}
// book: /walk

void graph::let_go(Node& node) {
  node.freed = true;
  node.rule = nullptr;
  node.inputs.clear();
}

graph::Gradients graph::apply_rule(const Variable& result, const Variable& gradient) {
  check_before_rule(result);
  const Node& node = *result.node();
  Gradients gradients;
  {
    InsideRule guard;
    gradients = node.rule(gradient, Saved{node.inputs, result});
  }
  check_after_rule(node, gradients);
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (node.inputs[i].requires_grad())
      observe({.by = GradientMade::By::rule,
               .of = node.inputs[i],
               .made = gradients[i],
               .arrived = gradient,
               .result = result,
               .input = i});
  return gradients;
}

namespace {

// The sum of gradients that arrive at x from several of its uses.
Variable sum_at(const Variable& x, const Variable& first, const Variable& second) {
  Variable sum;
  {
    InsideRule guard;
    sum = first + second;
  }
  observe({.by = GradientMade::By::sum, .of = x, .made = sum, .arrived = first, .next = second});
  return sum;
}

// Adds to the gradient of a leaf. Threads with graphs of their own may share the leaf. The first gradient is stored as
// a copy of the handle: two leaves may share one gradient.
void collect(const graph::Arrival& arrival, bool create_graph) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  Variable& gradient = StateAccess::of(arrival.variable).gradient;
  const Variable more = create_graph ? arrival.gradient : detach(arrival.gradient);
  gradient = gradient.defined() ? sum_at(arrival.variable, gradient, more) : more;
}

}  // namespace

void graph::Arrivals::add(const Variable& variable, const Variable& gradient) {
  auto [known, is_new] = waiting_.try_emplace(variable.order(), Arrival{variable, gradient});
  if (!is_new) known->second.gradient = sum_at(variable, known->second.gradient, gradient);
}

graph::Arrival graph::after_hooks(Arrival arrival) {
  if (!StateAccess::of(arrival.variable).hooks) return arrival;
  const auto hooks = *StateAccess::of(arrival.variable).hooks;  // a copy: a hook may remove itself
  for (const auto& [number, hook] : hooks) {
    const Variable returned = hook(arrival.gradient);
    if (!returned.defined()) continue;
    check_hook(arrival.gradient, returned);
    observe({.by = GradientMade::By::hook, .of = arrival.variable, .made = returned, .arrived = arrival.gradient});
    arrival.gradient = returned;
  }
  return arrival;
}

void Variable::backward() const { backward({}); }

void Variable::backward(const BackwardOptions& options) const {
  const SetRecording rules(options.create_graph);
  graph::Arrivals arrivals;
  arrivals.add(*this, graph::start("backward", *this, options.gradient, options.create_graph));
  const auto everywhere = [](const Variable&) { return true; };
  const auto visit = [&](const graph::Arrival& arrival) {
    if (arrival.variable.is_leaf()) collect(arrival, options.create_graph);
  };
  graph::walk(std::move(arrivals),
              {.keep_graph = options.keep_graph || options.create_graph, .leads_on = everywhere, .visit = visit});
}

}  // namespace regard
