#include "nn/tools/watch/watch.h"

#include "tensor/ops/arithmetic.h"

namespace regard::nn {

// What is held while it looks at a step. The members end in the reverse order: first the watches, then what they fill.
struct Watch::Look {
  Recording recording;
  std::vector<Tensor> weights;  // before the step
  WatchedStep found;
  std::unique_ptr<Recorder> recorder;
  std::unique_ptr<ActivationWatch> activations;
};

Watch::Watch(const Members& model, const WatchOptions& options)
    : model_(model), parameters_(named_parameters(model)), names_(parameters_), every_(options.every) {
  if (every_ < 1) fail<ValueError>("Watch: every = {}: it needs 1 or more", every_);
}
Watch::~Watch() = default;

void Watch::before_forward() {
  look_.reset();  // of a step that was not finished
  ++step_;
  if (step_ != 1 && step_ % every_ != 0) return;
  look_ = std::make_unique<Look>();
  look_->found.step = step_;
  look_->recorder = std::make_unique<Recorder>(look_->recording, model_, RecorderOptions{.step = "look", .some = 32});
  look_->activations = std::make_unique<ActivationWatch>(names_);
}

void Watch::before_step() {
  if (!look_ || !look_->activations) return;
  look_->found.activations = look_->activations->found();
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

}  // namespace regard::nn
