#include "nn/optim/optimizer.h"

#include "autograd/record.h"
#include "tensor/create.h"

#include <cmath>

namespace regard::optim {
namespace {

// Only a leaf that wants a gradient gets one. Anything else would never be moved, and nobody would notice.
void require_leaf(const char* name, std::size_t i, const Variable& x) {
  if (x.node())
    fail<ValueError>(
        "{}: parameter {} {} is the result of {}, and would never be moved: give its new value to the parameter that "
        "was there with assign(parameter, value)",
        name, i, x.shape(), x.node()->op.name);
  if (!x.requires_grad())
    fail<ValueError>(
        "{}: parameter {} {} needs no gradient, and would never be moved: leave it out, or make it with "
        "parameter(…)",
        name, i, x.shape());
}

}  // namespace

Optimizer::Optimizer(const char* name, std::vector<Variable> parameters, double learning_rate)
    : name_(name), parameters_(std::move(parameters)), learning_rate_(learning_rate) {
  require_at_least_0("learning_rate", learning_rate);
  if (parameters_.empty()) fail<ValueError>("{}: there is no parameter to optimise", name);
  for (std::size_t i = 0; i < count(); ++i) {
    if (!parameters_[i].defined()) fail<ValueError>("{}: parameter {} is undefined", name, i);
    require_leaf(name, i, parameters_[i]);
    for (std::size_t j = 0; j < i; ++j)
      if (parameters_[i].same_as(parameters_[j]))
        fail<ValueError>("{}: parameter {} is parameter {} again, and would be moved twice", name, i, j);
  }
}

void Optimizer::zero_grad() {
  for (Variable& parameter : parameters_) parameter.clear_gradient();
}

void Optimizer::step() {
  ++steps_;
  for (std::size_t i = 0; i < count(); ++i) {
    const Variable& gradient = parameters_[i].gradient();
    if (!gradient.defined()) continue;
    regard::update(parameters_[i], [&](Tensor& w) { update(i, w, gradient.value()); });
  }
}

void Optimizer::set_learning_rate(double rate) {
  require_at_least_0("learning_rate", rate);
  learning_rate_ = rate;
}

std::vector<Tensor> Optimizer::zeros_like_parameters() const {
  std::vector<Tensor> list;
  for (const Variable& parameter : parameters_) list.push_back(zeros_like(parameter.value()));
  return list;
}

void Optimizer::require_in(const char* option, double value, double low, double high) const {
  if (!(value >= low && value < high))
    fail<ValueError>("{}: {} = {} is outside [{}, {})", name_, option, value, low, high);
}

void Optimizer::require_at_least_0(const char* option, double value) const {
  if (!(value >= 0 && std::isfinite(value))) fail<ValueError>("{}: {} = {} is not 0 or more", name_, option, value);
}

}  // namespace regard::optim
