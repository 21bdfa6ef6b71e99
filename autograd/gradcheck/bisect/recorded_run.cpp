#include "autograd/gradcheck/bisect/recorded_run.h"

#include "autograd/ancestors.h"
#include "autograd/backward.h"
#include "autograd/gradcheck/cotangent.h"
#include "autograd/gradcheck/slopes.h"
#include "autograd/ops/arithmetic.h"
#include "tensor/all.h"

#include <algorithm>

namespace regard::bisecting {
namespace {

// Notes what is recorded while it lives, and may put other values there.
struct Recorder : Observer {
  Tensor value(const OpInfo& op, const graph::Inputs& inputs, const Tensor& computed) override {
    return replace && must_record(inputs) ? replace(list.size(), op, computed) : computed;
  }
  void recorded(const Variable& x) override { list.push_back(x); }

  std::vector<Variable> list;
  std::function<Tensor(std::size_t number, const OpInfo& op, const Tensor& computed)> replace;
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
    : f_(f), names_(names) {
  std::vector<Tensor> given;
  for (const Variable& input : inputs) {
    if (input.dtype() == DType::f32)
      fail<ValueError>("bisect: an input is f32: its rounding hides wrong rules; convert it with to(x, DType::f64)");
    given.push_back(input.value());
  }
  inputs_ = gradchecks::leaves_of(given);
  Recorder recorder;
  const Variable output = f_(inputs_);
  recorded_ = recorder.list;
  if (!identical(output.value(), f_(gradchecks::leaves_of(given)).value()))
    fail<ValueError>("bisect: the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) fail<ValueError>("bisect: the result depends on no input that has a gradient");

  Generator random(GradcheckOptions{}.seed);
  const auto add = [&](const Variable& value) {
    const Tensor& x = value.value();
    numbers_.emplace(value.order(), values_.size());
    values_.push_back(value);
    old_.push_back(x);
    directions_.push_back(finite_part(gradchecks::random_cotangent(x.shape(), random) * maximum(abs(x), 1)));
  };
  for (const Variable& x : inputs_)
    if (x.requires_grad()) add(x);
  first_operation_ = values_.size();
  std::set<std::uint64_t> needed;
  graph::for_each_ancestor({output}, [&](const Variable& x) { return needed.insert(x.order()).second; });
  for (const Variable& x : recorded_) {
    if (!needed.contains(x.order())) continue;
    if (x.dtype() != DType::f64)
      fail<ValueError>("bisect: '{}' computes in {}: its rounding hides wrong rules; compute in f64", x.node()->op.name,
                       x.dtype());
    add(x);
  }
}

// Operations that only lead to values that are not recorded are left to compute what they compute.
RecordedRun::Rerun RecordedRun::run_again(const std::vector<Tensor>& values) const {
  ++evaluations_;
  Rerun run;
  std::vector<Variable> inputs = inputs_;
  for (Variable& x : inputs) {
    if (!x.requires_grad()) continue;
    x = parameter(values[run.recorded.size()]);
    run.computed.push_back(x.value());
    run.recorded.push_back(x);
  }
  Recorder recorder;
  recorder.replace = [&](std::size_t number, const OpInfo& op, const Tensor& computed) {
    const bool is_same = number < recorded_.size() && &recorded_[number].node()->op == &op &&
                         recorded_[number].shape() == computed.shape();
    if (!is_same)
      fail<ValueError>(
          "bisect: the function records other operations when a value in it moves a little, from operation {} on, "
          "'{}' (make what it does independent of the values)",
          number + 1, op.name);
    if (!can_be_moved(recorded_[number])) return computed;
    run.computed.push_back(computed);
    return values[run.computed.size() - 1];
  };
  f_(inputs);
  if (run.computed.size() < values_.size())
    fail<ValueError>("bisect: the function records fewer operations when a value in it moves a little");
  for (std::size_t number = 0; number < recorder.list.size(); ++number)
    if (can_be_moved(recorded_[number])) run.recorded.push_back(recorder.list[number]);
  return run;
}

RecordedRun::Rerun RecordedRun::moved(double t, const Moves& moves) const {
  std::vector<Tensor> values = old_;
  for (std::size_t n = 0; n < values.size(); ++n)
    if (moves(n)) values[n] = values[n] + t * directions_[n];
  return run_again(values);
}

std::string RecordedRun::origin(std::size_t n) const {
  const Variable& x = values_[n];
  if (!x.is_leaf()) return fmt::format("the result of operation {}, {}", n - first_operation_ + 1, x.node()->op.name);
  const std::size_t i = place_of(x, inputs_);
  return i < names_.size() ? names_[i] : fmt::format("input {} of the function", i);
}

std::vector<std::size_t> RecordedRun::operands(std::size_t operation) const {
  std::vector<std::size_t> list;
  for (const Variable& input : node(operation).inputs) {
    const auto found = numbers_.find(input.order());
    if (found != numbers_.end() && std::ranges::find(list, found->second) == list.end()) list.push_back(found->second);
  }
  return list;
}

std::vector<Variable> RecordedRun::finite_operands(std::size_t operation) const {
  std::vector<Variable> list;
  for (const std::size_t x : operands(operation)) list.push_back(parameter(finite_part(old_[x])));
  return list;
}

Function RecordedRun::alone(std::size_t operation) const {
  return [this, operation](const auto& finite) { return again(operation, finite, node(operation).rule, true); };
}

std::vector<Tensor> RecordedRun::by_rule(std::size_t operation, const graph::Rule& rule, const Tensor& gradient) const {
  const std::vector<Variable> finite = finite_operands(operation);
  const Variable y = again(operation, finite, rule, false);
  std::vector<Tensor> list;
  for (const Variable& x : grad({y}, finite, {.gradients = {gradient}, .allow_unused = true}))
    list.push_back(x.value());
  return list;
}

Variable RecordedRun::again(std::size_t operation, const std::vector<Variable>& finite, const graph::Rule& rule,
                            bool runs) const {
  graph::Inputs inputs = node(operation).inputs;
  std::vector<Tensor> values = old_;
  const std::vector<std::size_t> moved = operands(operation);
  for (std::size_t p = 0; p < moved.size(); ++p) {
    const std::size_t n = moved[p];
    const Variable x = where(is_finite(old_[n]), finite.at(p), Variable(old_[n]));
    values[n] = x.value();
    for (Variable& input : inputs)
      if (input.same_as(values_[n])) input = x;
  }
  const Tensor y = runs ? run_again(values).computed[operation] : old_[operation];
  return where(is_finite(old_[operation]), record(node(operation).op, inputs, y, rule), 0.0);
}

}  // namespace regard::bisecting
