#include "autograd/backward.h"

#include "autograd/state.h"
#include "autograd/walk.h"

#include <algorithm>
#include <mutex>

namespace regard {

// book: walk
// What arrives at x from several of its uses is added.
void graph::Arrivals::add(const Variable& x, const Variable& gradient) {
  auto [known, is_new] = waiting_.try_emplace(x.order(), Arrival{x, gradient});
  if (!is_new) known->second.gradient = sum_at(x, known->second.gradient, gradient);
}

// Visits what the outputs were made from, latest first.
void graph::walk(Arrivals arrivals, const Walk& how) {
  while (!arrivals.empty()) {
    const auto [x, gradient] = after_hooks(arrivals.take());  // complete: all that was made from x has had its turn
    how.visit(x, gradient);
    if (!how.goes_on_from(x)) continue;
    const Inputs& inputs = x.node()->inputs;
    const Gradients gradients = apply_rule(x, gradient);
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (how.goes_to(inputs[i])) arrivals.add(inputs[i], gradients[i]);
    if (!how.keep_graph) let_go(x);
  }
}
// book: /walk

namespace {

// Adds to the gradient of a leaf, which threads with graphs of their own may share. The first gradient is not copied:
// two leaves may share its numbers.
void collect(const Variable& leaf, const Variable& gradient, bool create_graph) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  Variable& sum = StateAccess::of(leaf).gradient;
  const Variable more = create_graph ? gradient : detach(gradient);
  sum = sum.defined() ? graph::sum_at(leaf, sum, more) : more;
}

}  // namespace

void Variable::backward(const BackwardOptions& options) const {
  const SetRecording while_walking(options.create_graph);
  graph::Arrivals arrivals;
  arrivals.add(*this, graph::start("backward", *this, options.gradient, options.create_graph));
  const auto visit = [&](const Variable& x, const Variable& gradient) {
    if (x.is_leaf()) collect(x, gradient, options.create_graph);
  };
  graph::walk(
      std::move(arrivals),
      {.keep_graph = options.keep_graph || options.create_graph, .goes_to = &Variable::requires_grad, .visit = visit});
}

void Variable::backward() const { backward({}); }

// A freed node has no inputs left. The walk goes on all the same, so that apply_rule says what is wrong.
bool graph::Walk::goes_on_from(const Variable& x) const {
  return x.node() && (x.node()->freed || std::ranges::any_of(x.node()->inputs, goes_to));
}

graph::Gradients graph::apply_rule(const Variable& result, const Variable& gradient) {
  check_before_rule(result);
  const Node& node = *result.node();
  Gradients gradients;
  {
    InsideRule guard;
    gradients = node.rule(gradient, Saved{node.inputs, result});
  }
  check_after_rule(result, gradients);
  tell_of_rule(result, gradient, gradients);
  return gradients;
}

void graph::let_go(const Variable& x) {
  Node& node = *StateAccess::of(x).node;
  node.freed = true;
  node.rule = nullptr;
  node.inputs.clear();
}

}  // namespace regard
