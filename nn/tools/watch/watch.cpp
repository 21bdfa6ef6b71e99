#include "nn/tools/watch/watch.h"

#include "tensor/ops/arithmetic.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {

// What is held while it looks at a step. The members end in the reverse order: first the watches, then what they fill.
struct Watch::Look {
  Recording recording;
  std::vector<Tensor> weights;  // before the step
  WatchedStep found;
  std::unique_ptr<Recorder> recorder;
  std::unique_ptr<ActivationWatch> activations;
};

Watch::Watch(std::vector<NamedParameter> parameters, const WatchOptions& options)
    : parameters_(std::move(parameters)), names_(parameters_), every_(options.every) {
  if (every_ < 1) fail<ValueError>("Watch: every = {}: it needs 1 or more", every_);
}
Watch::~Watch() = default;

void Watch::before_forward() {
  look_.reset();  // of a step that was not finished
  ++step_;
  if (step_ != 1 && step_ % every_ != 0) return;
  look_ = std::make_unique<Look>();
  look_->found.step = step_;
  look_->recorder = record_(look_->recording);
  look_->activations = std::make_unique<ActivationWatch>(names_);
}

void Watch::before_step() {
  if (!look_ || !look_->activations) return;
  look_->found.activations = look_->activations->found();
  look_->found.units = look_->activations->units();
  look_->activations.reset();
  look_->recorder.reset();
  look_->found.heads = watched_heads(look_->recording);
  for (const auto& [name, parameter] : parameters_) {
    WatchedParameter one{.name = name, .rank = parameter.rank(), .spread = spread_of(parameter.value())};
    if (parameter.gradient().defined()) one.gradient = length_of(parameter.gradient().value());
    look_->found.parameters.push_back(one);
    look_->weights.push_back(parameter.value());
  }
}

bool Watch::after_step() {
  if (!look_ || look_->weights.size() != parameters_.size()) {
    look_.reset();
    return false;
  }
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor& before = look_->weights[i];
    const double length = length_of(before), change = length_of(parameters_[i].parameter.value() - before);
    look_->found.parameters[i].update = change == 0 ? 0 : change / length;
  }
  steps_.push_back(std::move(look_->found));
  look_.reset();
  return true;
}

namespace {

struct Most {
  double value = -1;
  std::string name = {};
  void see(double number, const std::string& of) {
    if (number > value) value = number, name = of;
  }
};

std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

}  // namespace

std::optional<std::string> not_finite(const WatchedStep& step) {
  for (const WatchedParameter& one : step.parameters)
    if (!std::isfinite(one.spread.mean)) return fmt::format("the parameter '{}'", one.name);
  for (const WatchedActivation& one : step.activations)
    if (!std::isfinite(one.spread.mean) && !(one.spread.mean < 0)) return fmt::format("what '{}' returns", one.name);
  for (auto one = step.activations.rbegin(); one != step.activations.rend(); ++one)
    if (!std::isfinite(one->squared_gradient)) return fmt::format("the gradient that arrives at '{}'", one->name);
  for (const WatchedParameter& one : step.parameters)
    if (!std::isfinite(one.gradient)) return fmt::format("the gradient of '{}'", one.name);
  return std::nullopt;
}

std::string line_of(const WatchedStep& step) {
  if (const auto where = not_finite(step))
    return fmt::format("step {}: NaN or infinity, first in {}", step.step, *where);
  double squares = 0;
  std::vector<double> updates;
  Most update, zeros, saturated;
  WatchedHead head;
  for (const WatchedParameter& one : step.parameters) {
    squares += one.gradient * one.gradient;
    if (one.rank < 2) continue;  // a bias that starts at 0 moves by more than it is
    updates.push_back(one.update);
    update.see(one.update, one.name);
  }
  for (const WatchedActivation& one : step.activations) {
    zeros.see(one.spread.zeros, one.name);
    if (one.has_ends) saturated.see(one.saturated, one.name);
  }
  for (const WatchedHead& one : step.heads)
    if (one.one_key >= head.one_key) head = one;
  std::string line = fmt::format("step {}: gradient {:.2g}", step.step, std::sqrt(squares));
  if (!updates.empty()) {
    std::ranges::sort(updates);
    line +=
        fmt::format("; update/weight {:.2g}, most {:.2g} ({})", updates[updates.size() / 2], update.value, update.name);
  }
  if (zeros.value > 0.005) line += fmt::format("; zeros {} ({})", whole_percent(zeros.value), zeros.name);
  if (saturated.value > 0.005)
    line += fmt::format("; saturated {} ({})", whole_percent(saturated.value), saturated.name);
  if (!head.name.empty())
    line += fmt::format("; most on one key {} (head {} of {})", whole_percent(head.one_key), head.head, head.name);
  return line;
}

}  // namespace regard::nn
