#include "autograd/gradcheck/bisect/recorded_run.h"

#include "autograd/ancestors.h"
#include "autograd/backward.h"
#include "autograd/gradcheck/slopes.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "tensor/all.h"

#include <algorithm>
#include <set>

namespace regard::bisecting {
namespace {

// Notes what is computed and recorded while it lives, and may put other values there. What the output does not depend
// on is noted, too, and not looked at.
struct Recorder : Observer {
  Tensor value(const OpInfo& op, const graph::Inputs& inputs, const Tensor& computed) override {
    if (!must_record(inputs)) return computed;
    seen.computed.push_back(computed);
    return replace ? replace(seen.recorded.size(), op, computed) : computed;
  }
  void recorded(const Variable& x) override { seen.recorded.push_back(x); }

  Rerun seen;
  std::function<Tensor(std::size_t place, const OpInfo& op, const Tensor& computed)> replace;
};

}  // namespace

std::vector<Tensor> speeds(const std::function<std::vector<Tensor>(double t)>& at) {
  const auto over = [&](double t) {
    std::vector<Tensor> above = at(t);
    const std::vector<Tensor> below = at(-t);
    for (std::size_t i = 0; i < above.size(); ++i)  // what stays −∞ does not move: −∞ − −∞ would be NaN
      above[i] = where(equal(above[i], below[i]), 0, above[i] - below[i]) / (2 * t);
    return above;
  };
  const double step = GradcheckOptions{}.eps;
  const std::vector<Tensor> wide = over(step);
  std::vector<Tensor> narrow = over(step / 2);
  for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i] = (4 * narrow[i] - wide[i]) / 3;
  return narrow;
}

RecordedRun::RecordedRun(const Function& f, const std::vector<Variable>& inputs, const std::vector<std::string>& names)
    : f_(f) {
  std::vector<std::string> origins;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].dtype() == DType::f32)
      fail<ValueError>("bisect: an input is f32: its rounding hides wrong rules; convert it with to(x, DType::f64)");
    inputs_.push_back(inputs[i].value());
    if (is_float(inputs[i].dtype()))
      origins.push_back(i < names.size() ? names[i] : fmt::format("input {} of the function", i));
  }
  Recorder recorder;
  const Variable output = run();
  const std::vector<Variable> recorded = recorder.seen.recorded;
  if (!identical(output.value(), run().value()))
    fail<ValueError>("bisect: the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) fail<ValueError>("bisect: the result depends on no input that has a gradient");

  std::set<std::uint64_t> needed;
  graph::for_each_ancestor({output}, [&](const Variable& x) { return needed.insert(x.order()).second; });
  input_count_ = origins.size();
  std::size_t operations = 0;
  Generator random(GradcheckOptions{}.seed);
  for (const Variable& x : recorded) {
    const std::size_t place = values_.size();
    const bool is_input = place < input_count_;
    Value& value = values_.emplace_back(Value{x});
    if (!is_input && !needed.contains(x.order())) continue;
    const OpInfo& op = value.node().op;
    const graph::Inputs& made_of = value.node().inputs;
    if (x.dtype() != DType::f64)
      fail<ValueError>("bisect: '{}' computes in {}: its rounding hides wrong rules; compute in f64", op.name,
                       x.dtype());
    if (!is_input) value.number = ++operations;
    value.origin = is_input ? origins[place] : fmt::format("the result of operation {}, {}", operations, op.name);
    value.direction = finite_part(gradchecks::random_cotangent(x.shape(), random) * maximum(abs(x.value()), 1));
    for (std::size_t i = 0; i < made_of.size(); ++i) {
      const auto found = places_.find(made_of[i].order());
      const auto is_it = [&](const Value::Operand& known) { return known.value == found->second; };
      if (found != places_.end() && std::ranges::none_of(value.operands, is_it))
        value.operands.push_back({found->second, i});
    }
    places_.emplace(x.order(), place);
  }
}

// Each input goes through an operation that changes nothing: so it is recorded as all other values are.
Variable RecordedRun::run() const {
  ++evaluations_;
  std::vector<Variable> inputs;
  for (const Tensor& x : inputs_) inputs.push_back(is_float(x.dtype()) ? identity(parameter(x)) : Variable(x));
  return f_(inputs);
}

// All values are put back but for those that are moved. Operations that only lead to values that are not recorded are
// left to compute what they compute.
Rerun RecordedRun::run_with(const std::map<std::size_t, Tensor>& moved) const {
  Recorder recorder;
  recorder.replace = [&](std::size_t place, const OpInfo& op, const Tensor& computed) {
    if (place >= values_.size() || &values_[place].node().op != &op || values_[place].x.shape() != computed.shape())
      fail<ValueError>(
          "bisect: the function records other operations when a value in it moves a little, from operation {} on, "
          "'{}' (make what it does independent of the values)",
          place - input_count_ + 1, op.name);
    const Variable& before = values_[place].x;
    if (!can_be_moved(before)) return computed;
    const auto found = moved.find(place);
    return found == moved.end() ? before.value() : found->second;
  };
  run();
  if (recorder.seen.recorded.size() < values_.size())
    fail<ValueError>("bisect: the function records fewer operations when a value in it moves a little");
  return recorder.seen;
}

Rerun RecordedRun::moved(double t, const Moves& moves) const {
  std::map<std::size_t, Tensor> moved;
  for (const auto& [order, place] : places_)
    if (moves(place)) moved.emplace(place, values_[place].x.value() + t * values_[place].direction);
  return run_with(moved);
}

RecordedRun::Alone RecordedRun::alone(std::size_t operation) const {
  const Value& y = values_[operation];
  std::vector<Variable> finite;
  for (const auto& operand : y.operands) finite.push_back(parameter(finite_part(values_[operand.value].x.value())));
  const auto f = [this, &y, operation](const std::vector<Variable>& in) {
    graph::Inputs inputs = y.node().inputs;
    std::map<std::size_t, Tensor> moved;
    for (std::size_t p = 0; p < y.operands.size(); ++p) {
      const Variable& before = values_[y.operands[p].value].x;
      const Variable x = where(is_finite(before.value()), in.at(p), Variable(before.value()));
      moved.emplace(y.operands[p].value, x.value());
      for (Variable& input : inputs)
        if (input.same_as(before)) input = x;
    }
    const Variable result = record(y.node().op, inputs, run_with(moved).computed[operation], y.node().rule);
    return where(is_finite(y.x.value()), result, 0.0);
  };
  return {f, finite};
}

std::vector<Tensor> RecordedRun::by_rule(std::size_t operation, const graph::Rule& rule, const Tensor& gradient) const {
  const Value& y = values_[operation];
  const graph::Inputs& inputs = y.node().inputs;
  const Variable again = record(y.node().op, inputs, y.x.value(), rule);
  const NoGrad rules_are_not_recorded;
  const graph::Gradients gradients = graph::apply_rule(again, where(is_finite(y.x.value()), gradient, 0));
  std::vector<Tensor> list;
  for (const auto& operand : y.operands) {
    Tensor sum = zeros(inputs[operand.input].shape(), DType::f64);
    for (std::size_t i = operand.input; i < inputs.size(); ++i)
      if (inputs[i].same_as(inputs[operand.input])) sum = sum + gradients[i].value();
    list.push_back(where(is_finite(inputs[operand.input].value()), sum, 0));
  }
  return list;
}

}  // namespace regard::bisecting
