#include "autograd/gradcheck/bisect/recorded_run.h"

#include "autograd/ancestors.h"
#include "autograd/backward.h"
#include "autograd/gradcheck/cotangent.h"
#include "autograd/gradcheck/slopes.h"
#include "autograd/ops/arithmetic.h"
#include "tensor/compare.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

#include <algorithm>
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

std::vector<Tensor> speeds(const std::function<std::vector<Tensor>(double t)>& at) {
  // What stays the same does not move, even if it is infinite: −∞ − −∞ would be NaN.
  const auto over = [&](double t) {
    std::vector<Tensor> above = at(t);
    const std::vector<Tensor> below = at(-t);
    for (std::size_t i = 0; i < above.size(); ++i)
      above[i] = where(equal(above[i], below[i]), 0, above[i] - below[i]) / (2 * t);
    return above;
  };
  const double step = GradcheckOptions{}.eps;
  const std::vector<Tensor> wide = over(step);
  std::vector<Tensor> narrow = over(step / 2);
  for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i] = (4 * narrow[i] - wide[i]) / 3;
  return narrow;
}

RecordedRun::RecordedRun(const Function& f, const std::vector<Variable>& inputs) : f_(f) {
  std::vector<Tensor> given;
  for (const Variable& input : inputs) {
    if (input.dtype() == DType::f32)
      fail<ValueError>("bisect: an input is f32: its rounding hides wrong rules; convert it with to(x, DType::f64)");
    given.push_back(input.value());
  }
  inputs_ = gradchecks::leaves_of(given);
  Variable output;
  {
    Recorder recorder;
    output = f_(inputs_);
    recorded_ = recorder.list;
  }
  if (!identical(output.value(), f_(gradchecks::leaves_of(given)).value()))
    fail<ValueError>("bisect: the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) fail<ValueError>("bisect: the result depends on no input that has a gradient");

  for (const Variable& x : inputs_)
    if (x.requires_grad()) values_.push_back(x);
  leaf_count_ = values_.size();
  std::set<std::uint64_t> needed;
  graph::for_each_ancestor({output}, [&](const Variable& x) { return needed.insert(x.order()).second; });
  for (const Variable& x : recorded_) {
    if (!needed.contains(x.order())) continue;
    if (x.dtype() != DType::f64)
      fail<ValueError>("bisect: '{}' computes in {}: its rounding hides wrong rules; compute in f64", x.node()->op.name,
                       x.dtype());
    values_.push_back(x);
  }
  Generator random(GradcheckOptions{}.seed);
  for (const Variable& value : values_) {
    const Tensor& x = value.value();
    numbers_.emplace(value.order(), directions_.size());
    directions_.push_back(finite_part(gradchecks::random_cotangent(x.shape(), random) * maximum(abs(x), 1)));
  }
}

// Operations that only lead to values that are not recorded are left to compute what they compute.
RecordedRun::Rerun RecordedRun::run_again(const std::function<Tensor(std::size_t n)>& value_of) const {
  ++evaluations_;
  Rerun run;
  std::vector<Variable> inputs;
  for (const Variable& x : inputs_) {
    inputs.push_back(can_be_moved(x) ? parameter(value_of(numbers_.at(x.order()))) : x);
    if (!can_be_moved(x)) continue;
    run.computed.push_back(inputs.back().value());
    run.recorded.push_back(inputs.back());
  }
  Recorder recorder([&](std::size_t number, const OpInfo& op, const Tensor& computed) {
    const bool is_same = number < recorded_.size() && &recorded_[number].node()->op == &op &&
                         recorded_[number].shape() == computed.shape();
    if (!is_same)
      fail<ValueError>(
          "bisect: the function records other operations when a value in it moves a little, from operation {} on, "
          "'{}' (make what it does independent of the values)",
          number + 1, op.name);
    if (!can_be_moved(recorded_[number])) return computed;
    run.computed.push_back(computed);
    return value_of(numbers_.at(recorded_[number].order()));
  });
  f_(inputs);
  if (run.computed.size() < values_.size())
    fail<ValueError>("bisect: the function records fewer operations when a value in it moves a little");
  for (std::size_t number = 0; number < recorder.list.size(); ++number)
    if (can_be_moved(recorded_[number])) run.recorded.push_back(recorder.list[number]);
  return run;
}

RecordedRun::Rerun RecordedRun::moved(double t, const Values& moving) const {
  return run_again([&](std::size_t n) {
    const Tensor& x = values_[n].value();
    return moving.contains(n) ? x + t * directions_[n] : x;
  });
}

std::vector<Tensor> RecordedRun::speeds_of_results(const Values& moving) const {
  return speeds([&](double t) { return moved(t, moving).computed; });
}

std::string RecordedRun::origin(std::size_t n, const std::vector<std::string>& input_names) const {
  const Variable& x = values_[n];
  if (!x.is_leaf()) return fmt::format("the result of operation {}, {}", n - leaf_count_ + 1, x.node()->op.name);
  const auto is_x = [&](const Variable& input) { return input.same_as(x); };
  const auto i = static_cast<std::size_t>(std::ranges::find_if(inputs_, is_x) - inputs_.begin());
  return i < input_names.size() ? input_names[i] : fmt::format("input {} of the function", i);
}

std::vector<RecordedRun::Operand> RecordedRun::operands(std::size_t operation) const {
  std::vector<Operand> list;
  const graph::Inputs& inputs = node(operation).inputs;
  for (std::size_t place = 0; place < inputs.size(); ++place) {
    const auto found = numbers_.find(inputs[place].order());
    if (found != numbers_.end() && std::ranges::find(list, found->second, &Operand::value) == list.end())
      list.push_back({place, found->second});
  }
  return list;
}

std::vector<Variable> RecordedRun::finite_operands(std::size_t operation) const {
  std::vector<Variable> list;
  for (const Operand& one : operands(operation)) list.push_back(parameter(finite_part(values_[one.value].value())));
  return list;
}

Function RecordedRun::alone(std::size_t operation) const {
  return [this, operation](const std::vector<Variable>& finite) {
    const SetRecording always(true);
    std::map<std::size_t, Variable> given;
    for (const Operand& one : operands(operation)) {
      const Tensor& x = values_[one.value].value();
      given[one.value] = where(is_finite(x), finite.at(given.size()), Variable(x));
    }
    const Rerun run =
        run_again([&](std::size_t n) { return given.contains(n) ? given.at(n).value() : values_[n].value(); });
    const Variable y = again(operation, given, run.computed[operation], node(operation).rule);
    return where(is_finite(values_[operation].value()), y, 0.0);
  };
}

Variable RecordedRun::again(std::size_t operation, const std::map<std::size_t, Variable>& operands,
                            const Tensor& result, const graph::Rule& rule) const {
  graph::Inputs inputs;
  for (const Variable& x : node(operation).inputs)
    inputs.push_back(can_be_moved(x) ? operands.at(numbers_.at(x.order())) : Variable(x.value()));
  return record(node(operation).op, inputs, result, rule);
}

std::vector<Tensor> RecordedRun::by_rule(std::size_t operation, const graph::Rule& rule, const Tensor& gradient) const {
  std::map<std::size_t, Variable> given;
  std::vector<Variable> leaves;
  for (const Operand& one : operands(operation)) {
    leaves.push_back(parameter(values_[one.value].value()));
    given[one.value] = leaves.back();
  }
  const Tensor& y = values_[operation].value();
  const auto found = grad({again(operation, given, y, rule)}, leaves,
                          {.gradients = {where(is_finite(y), gradient, 0)}, .allow_unused = true});
  std::vector<Tensor> list;
  for (std::size_t p = 0; p < leaves.size(); ++p)
    list.push_back(where(is_finite(leaves[p].value()), found[p].value(), 0));
  return list;
}

}  // namespace regard::bisecting
