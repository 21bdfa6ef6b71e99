#include "autograd/gradcheck/bisect/recorded_run.h"

#include "autograd/ancestors.h"
#include "autograd/backward.h"
#include "autograd/gradcheck/cotangent.h"
#include "autograd/gradcheck/slopes.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

#include <algorithm>
#include <set>
#include <utility>

namespace regard::bisecting {
namespace {

// Notes what is recorded while it lives, and may put other values there.
class Recorder : public Observer {
 public:
  using Replace = std::function<Tensor(std::size_t number, const OpInfo& op, const Tensor& computed)>;
  explicit Recorder(Replace replace = {}) : replace_(std::move(replace)) {}

  Tensor value(const OpInfo& op, const graph::Inputs& inputs, const Tensor& computed) override {
    return replace_ && must_record(inputs) ? replace_(list.size(), op, computed) : computed;
  }
  void recorded(const Variable& x) override { list.push_back(x); }

  std::vector<Variable> list;

 private:
  Replace replace_;
};

}  // namespace

Tensor is_finite(const Tensor& x) { return equal(x - x, 0); }

Tensor finite_part(const Tensor& x) { return where(is_finite(x), x, 0); }

RecordedRun::RecordedRun(const Function& f, const std::vector<Variable>& inputs, const std::vector<std::string>& names)
    : f_(f), names_(names), leaf_count_(inputs.size()) {
  std::vector<Tensor> values;
  for (const Variable& input : inputs) {
    if (input.dtype() == DType::f32)
      fail<ValueError>("bisect: an input is f32: its rounding hides wrong rules; convert it with to(x, DType::f64)");
    values.push_back(input.value());
  }
  values_ = gradchecks::leaves_of(values);
  Variable output;
  {
    Recorder recorder;
    output = f_(values_);
    values_.insert(values_.end(), recorder.list.begin(), recorder.list.end());
  }
  if (!identical(output.value(), f_(gradchecks::leaves_of(values)).value()))
    fail<ValueError>("bisect: the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) fail<ValueError>("bisect: the result depends on no input that has a gradient");
  std::set<std::uint64_t> needed;
  graph::for_each_ancestor({output}, [&](const Variable& x) { return needed.insert(x.order()).second; });
  for (std::size_t index = 0; index < values_.size(); ++index) {
    const Variable& x = values_[index];
    if (x.requires_grad()) indexes_[x.order()] = index;
    if (x.is_leaf() || !needed.contains(x.order())) continue;
    if (x.dtype() != DType::f64)
      fail<ValueError>("bisect: '{}' computes in {}: its rounding hides wrong rules; compute in f64", x.node()->op.name,
                       x.dtype());
    operations_.push_back(index);
  }
}

std::vector<Variable> RecordedRun::fresh_leaves(const ValueOf& value_of) const {
  std::vector<Variable> leaves;
  for (std::size_t i = 0; i < leaf_count_; ++i)
    leaves.push_back(values_[i].requires_grad() ? parameter(value_of(i)) : values_[i]);
  return leaves;
}

bool RecordedRun::is_same(std::size_t index, const OpInfo& op, const Shape& shape) const {
  return index < values_.size() && &values_[index].node()->op == &op && values_[index].shape() == shape;
}

// Operations that only lead to values that are not recorded are left to compute what they compute.
RecordedRun::Rerun RecordedRun::run_again(const ValueOf& value_of) const {
  ++evaluations_;
  Rerun run;
  Recorder recorder([&](std::size_t number, const OpInfo& op, const Tensor& computed) {
    const std::size_t index = leaf_count_ + number;
    if (!is_same(index, op, computed.shape()))
      fail<ValueError>(
          "bisect: the function records other operations when a value in it moves a little, from operation {} on, "
          "'{}' (make what it does independent of the values)",
          number + 1, op.name);
    if (!std::ranges::binary_search(operations_, index)) return computed;
    run.computed.push_back(computed);
    return value_of(index);
  });
  f_(fresh_leaves(value_of));
  if (run.computed.size() < operations_.size())
    fail<ValueError>("bisect: the function records fewer operations when a value in it moves a little");
  for (const std::size_t index : operations_) run.recorded.push_back(recorder.list[index - leaf_count_]);
  return run;
}

RecordedRun::Rerun RecordedRun::moved(double t, const Moves& moves) const {
  return run_again([&](std::size_t index) { return values_[index].value() + t * moves[index]; });
}

Function RecordedRun::alone(std::size_t k) const {
  return [this, k](const std::vector<Variable>& in) {
    const SetRecording always(true);
    std::map<std::size_t, Variable> given;
    for (const Operand& operand : operands(k)) given.emplace(operand.source, in.at(given.size()));
    const Rerun run = run_again(
        [&](std::size_t index) { return given.contains(index) ? given.at(index).value() : values_[index].value(); });
    graph::Inputs inputs;
    for (const Variable& x : node(k).inputs)
      inputs.push_back(can_be_moved(x) ? given.at(indexes_.at(x.order())) : Variable(x.value()));
    return record(node(k).op, inputs, run.computed[k], node(k).rule);
  };
}

std::vector<RecordedRun::Operand> RecordedRun::operands(std::size_t k) const {
  std::vector<Operand> list;
  const graph::Inputs& inputs = node(k).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!can_be_moved(inputs[i])) continue;
    const std::size_t from = indexes_.at(inputs[i].order());
    if (std::ranges::find(list, from, &Operand::source) != list.end()) continue;
    const auto number = std::ranges::find(operations_, from) - operations_.begin() + 1;
    std::string origin = fmt::format("input {} of the function", from);
    if (from < names_.size()) origin = names_[from];
    if (from >= leaf_count_) origin = fmt::format("the result of operation {}, {}", number, inputs[i].node()->op.name);
    list.push_back({i, from, origin});
  }
  return list;
}

std::vector<Tensor> RecordedRun::by_rule(std::size_t k, const Variable& result, const Tensor& gradient) const {
  const NoGrad no_grad;
  const graph::Gradients gradients = graph::apply_rule(result, gradient);
  const graph::Inputs& inputs = node(k).inputs;
  std::vector<Tensor> list;
  for (const Operand& operand : operands(k)) {
    const Variable& x = inputs[operand.input];
    Tensor total = zeros(x.shape(), DType::f64);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].same_as(x)) total = total + gradients[i].value();
    list.push_back(total);
  }
  return list;
}

RecordedRun::Moves RecordedRun::random_moves(std::uint64_t seed) const {
  Generator generator(seed);
  Moves moves;
  for (const Variable& value : values_) {
    const Tensor& x = value.value();
    if (x.dtype() == DType::f64)
      moves.push_back(finite_part(gradchecks::random_cotangent(x.shape(), generator) * maximum(abs(x), 1)));
    else
      moves.push_back(x);
  }
  return moves;
}

}  // namespace regard::bisecting
