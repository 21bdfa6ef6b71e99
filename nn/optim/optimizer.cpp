#include "nn/optim/optimizer.h"

#include "autograd/record.h"
#include "tensor/create.h"

#include <cmath>

namespace regard::optim {
namespace {

// Only a leaf that wants a gradient gets one. Anything else would never be moved, and nobody would notice.
void require_leaf(const char* name, const std::string& label, const Variable& x) {
  if (x.node())
    fail<ValueError>(
        "{}: parameter {} {} is the result of {}, and would never be moved: give its new value to the parameter that "
        "was there with assign(parameter, value)",
        name, label, x.shape(), graph::as_called(*x.node()));
  if (!x.requires_grad())
    fail<ValueError>(
        "{}: parameter {} {} needs no gradient, and would never be moved: leave it out, or make it with parameter(…)",
        name, label, x.shape());
}

}  // namespace

Optimizer::Optimizer(const char* name, const ParameterGroups& groups, double learning_rate, double weight_decay)
    : name_(name), learning_rate_(learning_rate) {
  require_at_least_0("learning_rate", learning_rate);
  require_at_least_0("weight_decay", weight_decay);
  for (const ParameterGroup& group : groups.groups) {
    require_at_least_0("times_learning_rate of a group", group.times_learning_rate);
    const double decay = group.weight_decay.value_or(weight_decay);
    require_at_least_0("weight_decay of a group", decay);
    for (const NamedParameter& one : group.parameters.list) add(one, group.times_learning_rate, decay);
  }
  if (members_.empty()) fail<ValueError>("{}: there is no parameter to optimise", name);
}

void Optimizer::add(const NamedParameter& one, double times_learning_rate, double weight_decay) {
  const std::string label = one.name.empty() ? std::to_string(count()) : fmt::format("'{}'", one.name);
  if (!one.parameter.defined()) fail<ValueError>("{}: parameter {} is undefined", name_, label);
  require_leaf(name_, label, one.parameter);
  for (std::size_t j = 0; j < count(); ++j)
    if (one.parameter.same_as(members_[j].parameter))
      fail<ValueError>("{}: parameter {} is parameter {} again, and would be moved twice", name_, label,
                       members_[j].label);
  members_.push_back({one.parameter, label, one.parameter.dtype(), times_learning_rate, weight_decay});
}

void Optimizer::zero_grad() {
  for (Member& member : members_) member.parameter.clear_gradient();
}

void Optimizer::step() {
  ++steps_;
  for (std::size_t i = 0; i < count(); ++i) {
    Member& member = members_[i];
    const Variable& gradient = member.parameter.gradient();
    if (!gradient.defined()) continue;
    if (remembers_ && member.parameter.dtype() != member.dtype)
      fail<DTypeError>(
          "{}: parameter {} is {} now, and {} when the optimizer was made, which remembers numbers of it: first "
          "convert(model, dtype), then make the optimizer",
          name_, member.label, member.parameter.dtype(), member.dtype);
    const Pace pace{learning_rate_ * member.times_learning_rate, member.weight_decay};
    regard::update(member.parameter, [&](Tensor& w) { update(i, w, gradient.value(), pace); });
  }
}

void Optimizer::set_learning_rate(double rate) {
  require_at_least_0("learning_rate", rate);
  learning_rate_ = rate;
}

std::vector<Tensor> Optimizer::zeros_like_parameters() {
  remembers_ = true;
  std::vector<Tensor> list;
  for (const Member& member : members_) list.push_back(zeros_like(member.parameter.value()));
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
