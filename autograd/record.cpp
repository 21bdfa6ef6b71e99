#include "autograd/record.h"

#include "autograd/state.h"

#include <atomic>
#include <utility>

namespace regard {
namespace {

thread_local bool recording = true;
std::atomic<std::int64_t> node_count{0};

}  // namespace

Variable graph::record(const OpInfo& op, Inputs inputs, Tensor&& value, Rule rule, bool wanted) {
  for (Observer* one = newest_observer; one; one = one->older()) value = one->value(op, inputs, value);
  if (!wanted) return Variable(std::move(value));
  Variable result;
  result.state_ = std::allocate_shared<Variable::State>(RecyclingAllocator<Variable::State>(), std::move(value), true);
  result.state_->node = std::make_unique<Node>(op, std::move(inputs), std::move(rule));
  for (Observer* one = newest_observer; one; one = one->older()) one->recorded(result);
  return result;
}

graph::Node::Node(const OpInfo& made_by, graph::Inputs made_from, graph::Rule backward_rule)
    : op(made_by),
      inputs(std::move(made_from)),
      rule(std::move(backward_rule)),
      input_versions(sum_of_versions(inputs)) {
  node_count.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t sum_of_versions(const graph::Inputs& inputs) {
  std::uint64_t sum = 0;
  for (const Variable& input : inputs) sum += StateAccess::of(input).version;
  return sum;
}

SetRecording::SetRecording(bool on) : before_(std::exchange(recording, on)) {}
SetRecording::~SetRecording() { recording = before_; }
bool is_recording() { return recording; }

std::string graph::as_called(const Node& node) {
  return node.op.name == std::string_view("affine") ? "an operation with a plain number, such as x * 2 or x + 2"
                                                    : fmt::format("'{}'", node.op.name);
}

std::int64_t live_nodes() { return node_count.load(std::memory_order_relaxed); }

// Letting go of the inputs may end them, and their nodes, and so on down a chain of a million operations. One call
// works through the list; the calls that this causes only add to it. So the stack does not grow.
graph::Node::~Node() {
  node_count.fetch_sub(1, std::memory_order_relaxed);
  thread_local graph::Inputs* waiting = nullptr;
  if (waiting) {
    std::move(inputs.begin(), inputs.end(), std::back_inserter(*waiting));
    return;
  }
  graph::Inputs list = std::move(inputs);
  waiting = &list;
  while (!list.empty()) {
    const Variable last = std::move(list.back());
    list.pop_back();
  }
  waiting = nullptr;
}

}  // namespace regard
