#include "autograd/variable.h"

#include "autograd/state.h"
#include "tensor/create.h"

#include <atomic>
#include <utility>

namespace regard {
namespace {

thread_local bool recording = true;
std::atomic<std::int64_t> node_count{0};

void require_leaf(const char* operation, const Variable& x) {
  if (!x.is_leaf())
    fail<ValueError>("{}: the Variable is the result of {}, not a leaf", operation, graph::as_called(*x.node()));
}

void require_fit(const char* operation, const char* what, const Variable& leaf, const Tensor& value) {
  require_same_dtype(operation, leaf.value(), value);
  if (leaf.shape() != value.shape())
    fail<ShapeError>("{}: a {} of shape {} does not fit a leaf of shape {}", operation, what, value.shape(),
                     leaf.shape());
}

}  // namespace

std::uint64_t Variable::State::next_order() {
  static std::atomic<std::uint64_t> count{0};
  return count.fetch_add(1, std::memory_order_relaxed);
}

Variable::Variable(Tensor value)
    : state_(std::allocate_shared<State>(RecyclingAllocator<State>(), std::move(value), false)) {}

Variable Variable::leaf(Tensor value) {
  if (!is_float(value.dtype()))
    fail<DTypeError>("parameter: {} of {} cannot have a gradient (f32 and f64 can)", value.shape(), value.dtype());
  Variable x(std::move(value));
  x.state_->requires_grad = true;
  return x;
}

Variable parameter(Tensor value) { return Variable::leaf(std::move(value)); }

Variable detach(const Variable& x) { return Variable(x.value()); }

void require_defined(const char* operation, const Variable& x, const char* argument) {
  if (!x.defined())
    fail<ValueError>("{}: its argument{}{} is an undefined Variable (make it with parameter(…), or from a tensor)",
                     operation, *argument ? " " : "", argument);
}

const Tensor& Variable::value(const char* asking) const {
  if (!state_) {
    if (find_op(asking)) require_defined(asking, *this);
    fail<ValueError>("value: this Variable is undefined");
  }
  return state_->value;
}

bool Variable::requires_grad() const { return state_ && state_->requires_grad; }
const graph::Node* Variable::node() const { return state_ ? state_->node.get() : nullptr; }
std::uint64_t Variable::order() const { return StateAccess::of(*this).order; }
const Variable& Variable::gradient() const {
  if (!state_) fail<ValueError>("gradient: this Variable is undefined");
  return state_->gradient;
}
void Variable::clear_gradient() { StateAccess::of(*this).gradient = Variable(); }

int Variable::on_gradient(Hook hook) const {
  if (!requires_grad()) fail<ValueError>("on_gradient: this Variable does not require a gradient, so none will come");
  auto& hooks = state_->hooks;
  if (!hooks) hooks = std::make_unique<std::vector<std::pair<int, Hook>>>();
  // Never the same number twice, so that a removed hook is not confused with a later one.
  static std::atomic<int> count{0};
  const int number = count.fetch_add(1, std::memory_order_relaxed);
  hooks->emplace_back(number, std::move(hook));
  return number;
}

void Variable::remove_hook(int number) const {
  const auto has_number = [number](const auto& hook) { return hook.first == number; };
  auto& hooks = StateAccess::of(*this).hooks;
  if (!hooks || std::erase_if(*hooks, has_number) == 0)
    fail<ValueError>("remove_hook: there is no hook of number {}", number);
}

std::string graph::as_called(const Node& node) {
  return node.op.name == std::string_view("affine") ? "an operation with a plain number, such as x * 2 or x + 2"
                                                    : fmt::format("'{}'", node.op.name);
}

void assign(Variable& leaf, const Tensor& value) {
  require_leaf("assign", leaf);
  require_fit("assign", "value", leaf, value);
  leaf.state_->value = value;
  ++leaf.state_->version;
}

void update(Variable& leaf, const std::function<void(Tensor&)>& change) {
  require_leaf("update", leaf);
  const Shape shape = leaf.shape();
  const DType dtype = leaf.dtype();
  ++leaf.state_->version;  // first: the value may be half changed if this throws
  Tensor& value = leaf.state_->value;
  change(value);
  if (value.defined() && value.shape() == shape && value.dtype() == dtype) return;
  const Tensor made = std::exchange(value, zeros(shape, dtype));  // the value is lost, but not what its handles rely on
  if (!made.defined()) fail<ValueError>("update: the change left a leaf {} {} without a value", dtype, shape);
  fail<ShapeError>("update: the change made {} {} of a leaf that was {} {}", made.dtype(), made.shape(), dtype, shape);
}

void set_gradient(Variable& leaf, const Tensor& gradient) {
  require_leaf("set_gradient", leaf);
  require_fit("set_gradient", "gradient", leaf, gradient);
  leaf.state_->gradient = Variable(gradient);
}

void set_dtype(Variable& leaf, DType dtype) {
  require_leaf("set_dtype", leaf);
  require_float("set_dtype", dtype);
  if (leaf.dtype() == dtype) return;
  leaf.state_->value = to(leaf.value(), dtype);
  leaf.state_->gradient = {};
  ++leaf.state_->version;
}

SetRecording::SetRecording(bool on) : before_(std::exchange(recording, on)) {}
SetRecording::~SetRecording() { recording = before_; }
bool is_recording() { return recording; }

graph::Node::Node(const OpInfo& made_by, graph::Inputs made_from, graph::Rule backward_rule)
    : op(made_by),
      inputs(std::move(made_from)),
      rule(std::move(backward_rule)),
      input_versions(sum_of_versions(inputs)) {
  node_count.fetch_add(1, std::memory_order_relaxed);
}

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

std::int64_t live_nodes() { return node_count.load(std::memory_order_relaxed); }

std::uint64_t sum_of_versions(const graph::Inputs& inputs) {
  std::uint64_t sum = 0;
  for (const Variable& input : inputs) sum += StateAccess::of(input).version;
  return sum;
}

Variable graph::record(const OpInfo& op, Inputs inputs, Tensor&& value, Rule rule, bool wanted) {
  for (Observer* one = newest_observer; one; one = one->older()) value = one->value(op, inputs, value);
  if (!wanted) return Variable(std::move(value));
  Variable result;
  result.state_ = std::allocate_shared<Variable::State>(RecyclingAllocator<Variable::State>(), std::move(value), true);
  result.state_->node = std::make_unique<Node>(op, std::move(inputs), std::move(rule));
  for (Observer* one = newest_observer; one; one = one->older()) one->recorded(result);
  return result;
}

}  // namespace regard

fmt::format_context::iterator fmt::formatter<regard::Variable>::format(const regard::Variable& x,
                                                                       fmt::format_context& context) const {
  if (!x.defined()) return write("undefined", context);
  return fmt::formatter<regard::Tensor>::format(x.value(), context);
}
