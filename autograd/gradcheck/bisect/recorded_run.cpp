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
  const double h = GradcheckOptions{}.eps;
  std::vector<Tensor> slopes = at(h);
  const std::vector<Tensor> below = at(-h), close_above = at(h / 2), close_below = at(-h / 2);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const Tensor wide = slopes[i] - below[i], narrow = close_above[i] - close_below[i];
    // What stays −∞ does not move: −∞ − −∞ would be NaN.
    slopes[i] = where(equal(slopes[i], below[i]), 0, (8 * narrow - wide) / (6 * h));
  }
  return slopes;
}

RecordedRun::RecordedRun(const Function& f, const std::vector<Variable>& inputs, const std::vector<std::string>& names)
    : f_(f), inputs_(inputs) {
  std::vector<std::string> origins;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (is_float(inputs[i].dtype()))
      origins.push_back(i < names.size() ? names[i] : fmt::format("input {} of the function", i));
  Recorder recorder;
  const Variable output = run();
  const std::vector<Variable> recorded = recorder.seen.recorded;
  if (!identical(output.value(), run().value()))
    fail<ValueError>("bisect: the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) fail<ValueError>("bisect: the result depends on no input that has a gradient");

  std::set<std::uint64_t> needed;
  graph::for_each_ancestor({output}, [&](const Variable& x) { return needed.insert(x.order()).second; });
  std::size_t operations = 0;
  Generator random(GradcheckOptions{}.seed);
  for (const Variable& x : recorded) {
    const std::size_t place = values_.size();
    Value& value = values_.emplace_back(Value{x});
    if (!needed.contains(x.order())) continue;
    const graph::Inputs& made_of = value.node().inputs;
    if (place >= origins.size()) value.number = ++operations;
    value.origin = place < origins.size()
                       ? origins[place]
                       : fmt::format("the result of operation {}, {}", operations, value.node().op.name);
    if (x.dtype() != DType::f64)
      fail<ValueError>("bisect: this must be f64, as the rounding of f32 hides wrong rules: {}", value.origin);
    value.direction = finite_part(gradchecks::random_cotangent(x.shape(), random) * maximum(abs(x.value()), 1));
    for (std::size_t i = 0; i < made_of.size(); ++i) {
      const auto is_it = [&](const Value::Operand& known) { return made_of[known.input].same_as(made_of[i]); };
      if (can_be_moved(made_of[i]) && std::ranges::none_of(value.operands, is_it))
        value.operands.push_back({places_.at(made_of[i].order()), i});
    }
    places_.emplace(x.order(), place);
  }
}

// Each input goes through an operation that changes nothing: so it is recorded as all other values are.
Variable RecordedRun::run() const {
  ++evaluations_;
  std::vector<Variable> inputs;
  for (const Variable& x : inputs_) inputs.push_back(is_float(x.dtype()) ? identity(parameter(x.value())) : x);
  return f_(inputs);
}

// All values are put back but for those that are moved. Operations that only lead to values that are not recorded are
// left to compute what they compute.
Rerun RecordedRun::run_with(const std::function<Tensor(std::size_t place)>& moved) const {
  Recorder recorder;
  recorder.replace = [&](std::size_t place, const OpInfo& op, const Tensor& computed) {
    if (place >= values_.size() || &values_[place].node().op != &op || values_[place].x.shape() != computed.shape())
      fail<ValueError>(
          "bisect: when a value in it moves a little, the function records other operations, the first of them '{}' "
          "(make what it does independent of the values)",
          op.name);
    return can_be_moved(values_[place].x) ? moved(place) : computed;
  };
  run();
  if (recorder.seen.recorded.size() < values_.size())
    fail<ValueError>("bisect: the function records fewer operations when a value in it moves a little");
  return recorder.seen;
}

Rerun RecordedRun::moved(double t, const Moves& moves) const {
  return run_with([&](std::size_t place) {
    const Tensor& x = values_[place].x.value();
    return moves(place) ? x + t * values_[place].direction : x;
  });
}

std::vector<Variable> RecordedRun::operands(std::size_t operation) const {
  std::vector<Variable> list;
  for (const auto& operand : values_[operation].operands)
    list.push_back(parameter(finite_part(values_[operand.value].x.value())));
  return list;
}

Variable RecordedRun::alone(std::size_t operation, const std::vector<Variable>& operands) const {
  const Value& y = values_[operation];
  const Rerun rerun = run_with([&](std::size_t place) {
    const Tensor& before = values_[place].x.value();
    for (std::size_t p = 0; p < operands.size(); ++p)
      if (y.operands[p].value == place) return where(is_finite(before), operands[p].value(), before);
    return before;
  });
  return again(operation, operands, rerun.computed[operation], y.node().rule);
}

Variable RecordedRun::again(std::size_t operation, const std::vector<Variable>& operands, const Tensor& computed,
                            const graph::Rule& rule) const {
  const Value& y = values_[operation];
  graph::Inputs inputs = y.node().inputs;
  for (std::size_t p = 0; p < operands.size(); ++p) {
    const Variable& before = values_[y.operands[p].value].x;
    const Variable x = where(is_finite(before.value()), operands[p], Variable(before.value()));
    std::ranges::replace_if(
        inputs, [&](const Variable& input) { return input.same_as(before); }, x);
  }
  return where(is_finite(y.x.value()), record(y.node().op, inputs, computed, rule), 0.0);
}

std::vector<Variable> RecordedRun::by_rule(std::size_t operation, const graph::Rule& rule,
                                           const Tensor& gradient) const {
  const std::vector<Variable> leaves = operands(operation);
  return grad({again(operation, leaves, values_[operation].x.value(), rule)}, leaves, {.gradients = {gradient}});
}

}  // namespace regard::bisecting
