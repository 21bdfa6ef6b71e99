#include "autograd/variable.h"

#include "autograd/state.h"
#include "tensor/create.h"

#include <atomic>
#include <utility>

namespace regard {
namespace {

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

}  // namespace regard

fmt::format_context::iterator fmt::formatter<regard::Variable>::format(const regard::Variable& x,
                                                                       fmt::format_context& context) const {
  if (!x.defined()) return write("undefined", context);
  return fmt::formatter<regard::Tensor>::format(x.value(), context);
}
