#include "autograd/backward.h"

#include "autograd/anomaly.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/record.h"
#include "autograd/state.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"

#include <map>
#include <mutex>
#include <set>

namespace regard {
namespace {

// The sum of gradients that arrive at x from several of its uses.
Variable sum_at(const Variable& x, const Variable& first, const Variable& second) {
  Variable sum;
  {
    InsideRule guard;
    sum = first + second;
  }
  if (anomaly_mode()) check_sum_for_anomaly(x, first, second, sum);
  return sum;
}

struct Arrival {
  Variable variable;
  Variable gradient;  // the sum of what has arrived so far
};

// The Variables that have received a gradient and were not visited yet, latest first.
class Arrivals {
 public:
  void add(const Variable& variable, const Variable& gradient) {
    auto [place, is_new] = waiting_.try_emplace(variable.order(), Arrival{variable, gradient});
    if (!is_new) place->second.gradient = sum_at(variable, place->second.gradient, gradient);
    if (const auto uses = uses_of_leaves_.find(variable.order()); uses != uses_of_leaves_.end() && --uses->second == 0)
      complete_.push_back(place);
  }
  void take_leaves_early(std::map<std::uint64_t, int> uses_of_leaves) { uses_of_leaves_ = std::move(uses_of_leaves); }

  bool empty() const { return waiting_.empty(); }
  Arrival take() {
    auto next = waiting_.begin();
    if (!complete_.empty()) next = complete_.back(), complete_.pop_back();
    return std::move(waiting_.extract(next).mapped());
  }

 private:
  using Waiting = std::map<std::uint64_t, Arrival, std::greater<>>;
  Waiting waiting_;
  std::map<std::uint64_t, int> uses_of_leaves_;  // from which nothing has arrived yet
  std::vector<Waiting::iterator> complete_;      // leaves among the waiting
};

void require_fit(const OpInfo& op, std::size_t i, const Variable& input, const Variable& gradient) {
  if (gradient.shape() != input.shape() || gradient.dtype() != input.dtype())
    fail<ShapeError>("backward: the rule of '{}' returned a gradient {} {} for input {}, which is {} {}", op.name,
                     gradient.dtype(), gradient.shape(), i, input.dtype(), input.shape());
}

}  // namespace

graph::Gradients graph::apply_rule(const Variable& result, const Variable& gradient) {
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
  Gradients gradients;
  {
    InsideRule guard;
    gradients = node.rule(gradient, Saved{node.inputs, result});
  }
  if (gradients.size() != node.inputs.size())
    fail<ValueError>("backward: the rule of '{}' returned {} gradients for {} inputs", node.op.name, gradients.size(),
                     node.inputs.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!node.inputs[i].requires_grad()) continue;
    if (!gradients[i].defined())
      fail<ValueError>("backward: the rule of '{}' left the gradient of input {} undefined, but it is wanted",
                       node.op.name, i);
    require_fit(node.op, i, node.inputs[i], gradients[i]);
    if (anomaly_mode()) check_rule_for_anomaly(node, result, gradient, gradients[i], i);
  }
  return gradients;
}

namespace {

void run_hooks(Arrival& arrival) {
  const auto hooks = *StateAccess::of(arrival.variable).hooks;  // a copy: a hook may remove itself
  for (const auto& [number, hook] : hooks) {
    Variable replacement = hook(arrival.gradient);
    if (!replacement.defined()) continue;
    if (replacement.shape() != arrival.gradient.shape() || replacement.dtype() != arrival.gradient.dtype())
      fail<ShapeError>("on_gradient: the hook replaced a gradient {} {} by {} {}", arrival.gradient.dtype(),
                       arrival.gradient.shape(), replacement.dtype(), replacement.shape());
    if (anomaly_mode()) check_hook_for_anomaly(arrival.variable, arrival.gradient, replacement);
    arrival.gradient = std::move(replacement);
  }
}

// book: walk
// Visits what the outputs were made from, by falling order: visit(arrival) sees each Variable with its complete
// gradient. Only Variables for which leads_on(variable) holds are gone to.
template <class LeadsOn, class Visit>
void walk(Arrivals arrivals, bool keep_graph, LeadsOn leads_on, Visit visit) {
  while (!arrivals.empty()) {
    Arrival arrival = arrivals.take();
    auto& state = StateAccess::of(arrival.variable);
    if (state.hooks) run_hooks(arrival);
    visit(arrival);
    graph::Node* node = state.node.get();
    if (!node) continue;
    bool goes_on = node->freed;  // then apply_rule complains
    for (const Variable& input : node->inputs) goes_on = goes_on || (input.requires_grad() && leads_on(input));
    if (!goes_on) continue;
    const graph::Gradients gradients = graph::apply_rule(arrival.variable, arrival.gradient);
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (node->inputs[i].requires_grad() && leads_on(node->inputs[i])) arrivals.add(node->inputs[i], gradients[i]);
    if (keep_graph) continue;
    node->freed = true;
    node->rule = nullptr;
    node->inputs.clear();
  }
}
// book: /walk

// The numbers of all Variables through which a gradient can pass from the outputs to one of the inputs.
std::set<std::uint64_t> ways_to(const std::map<std::uint64_t, std::vector<std::size_t>>& inputs,
                                const std::vector<Variable>& outputs) {
  std::set<std::uint64_t> ways;
  if (inputs.empty()) return ways;
  std::map<std::uint64_t, Variable> found;
  std::vector<Variable> waiting(outputs.begin(), outputs.end());
  while (!waiting.empty()) {
    const Variable x = std::move(waiting.back());
    waiting.pop_back();
    if (x.order() < inputs.begin()->first || !found.try_emplace(x.order(), x).second || !x.node()) continue;
    for (const Variable& input : x.node()->inputs) waiting.push_back(input);
  }
  for (const auto& [order, x] : found) {  // by rising order: inputs before what was made from them
    bool is_way = inputs.count(order) > 0 || (x.node() && x.node()->freed);
    if (x.node())
      for (const Variable& input : x.node()->inputs) is_way = is_way || ways.count(input.order()) > 0;
    if (is_way) ways.insert(order);
  }
  return ways;
}

// How often each leaf is used in what the output was made from.
std::map<std::uint64_t, int> uses_of_leaves(const Variable& output) {
  std::map<std::uint64_t, int> uses;
  std::set<std::uint64_t> seen{output.order()};
  std::vector<Variable> waiting{output};
  while (!waiting.empty()) {
    const Variable x = std::move(waiting.back());
    waiting.pop_back();
    if (!x.node()) continue;
    for (const Variable& input : x.node()->inputs) {
      if (!input.requires_grad()) continue;
      if (input.is_leaf())
        ++uses[input.order()];
      else if (seen.insert(input.order()).second)
        waiting.push_back(input);
    }
  }
  return uses;
}

// The gradient that a pass starts with at an output. Unless gradients are to be differentiated its own past is cut off.
Variable start(const char* operation, const Variable& output, const Variable& given, bool create_graph) {
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
  if (anomaly_mode()) check_start_for_anomaly(operation, output, given);
  return create_graph ? given : detach(given);
}

// Adds to the gradient of a leaf. Threads with graphs of their own may share the leaf. The first gradient is stored
// under a handle of its own: two leaves may have been given the same one.
void collect(const Arrival& arrival, bool create_graph) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  Variable& gradient = StateAccess::of(arrival.variable).gradient;
  const Variable more = create_graph ? arrival.gradient : detach(arrival.gradient);
  gradient = gradient.defined() ? sum_at(arrival.variable, gradient, more) : more;
}

}  // namespace

void Variable::backward() const { backward({}); }

void Variable::backward(const BackwardOptions& options) const {
  const SetRecording rules(options.create_graph);
  Arrivals arrivals;
  arrivals.add(*this, start("backward", *this, options.gradient, options.create_graph));
  if (options.leaves_early) arrivals.take_leaves_early(uses_of_leaves(*this));
  const auto everywhere = [](const Variable&) { return true; };
  walk(std::move(arrivals), options.keep_graph || options.create_graph, everywhere, [&](const Arrival& arrival) {
    if (arrival.variable.is_leaf()) collect(arrival, options.create_graph);
  });
}

std::vector<Variable> grad(const std::vector<Variable>& outputs, const std::vector<Variable>& inputs,
                           const GradOptions& options) {
  if (!options.gradients.empty() && options.gradients.size() != outputs.size())
    fail<ValueError>("grad: {} gradients were given for {} outputs", options.gradients.size(), outputs.size());
  std::map<std::uint64_t, std::vector<std::size_t>> places;  // of each input among the inputs, by its order
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad())
      fail<ValueError>("grad: input {} does not require a gradient, so nothing was recorded for it", i);
    places[inputs[i].order()].push_back(i);
  }
  const SetRecording rules(options.create_graph);
  Arrivals arrivals;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    arrivals.add(outputs[i], start("grad", outputs[i], options.gradients.empty() ? Variable() : options.gradients[i],
                                   options.create_graph));

  std::vector<Variable> result(inputs.size());
  const std::set<std::uint64_t> ways = ways_to(places, outputs);
  const auto leads_on = [&](const Variable& x) { return ways.count(x.order()) > 0; };
  walk(std::move(arrivals), options.keep_graph || options.create_graph, leads_on, [&](const Arrival& arrival) {
    const auto place = places.find(arrival.variable.order());
    if (place == places.end()) return;
    for (const std::size_t i : place->second) result[i] = arrival.gradient;
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
