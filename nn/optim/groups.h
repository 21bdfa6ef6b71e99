#pragma once

#include "nn/module.h"

namespace regard::optim {

// The parameters an optimizer moves: of a module, a list with names, or a list without. Names are for its messages.
struct ParameterList {
  ParameterList(const std::vector<Variable>& parameters) {  // NOLINT: implicit, as are the others
    for (const Variable& parameter : parameters) list.push_back({"", parameter});
  }
  ParameterList(std::initializer_list<Variable> parameters) : ParameterList(std::vector(parameters)) {}  // NOLINT
  ParameterList(std::vector<NamedParameter> parameters) : list(std::move(parameters)) {}                 // NOLINT
  template <nn::Module M>
  ParameterList(M& module) : list(nn::named_parameters(module)) {}  // NOLINT

  std::vector<NamedParameter> list;
};

// Parameters that are moved in their own way. Biases and norms, say, are often left out of the weight decay, and layers
// that were trained before get smaller steps:
//
//   optim::AdamW optimizer({{.parameters = model.body, .times_learning_rate = 0.1}, {.parameters = model.head}}, {…});
struct ParameterGroup {
  ParameterList parameters;
  double times_learning_rate = 1;           // a factor: 0.1 is a tenth of the optimizer's
  std::optional<double> weight_decay = {};  // instead of the optimizer's
};

// One group or several: what the optimizers take.
struct ParameterGroups {
  ParameterGroups() = default;
  ParameterGroups(std::initializer_list<Variable> parameters) : ParameterGroups(ParameterList(parameters)) {}  // NOLINT
  template <class All>
  requires std::convertible_to<All, ParameterList> ParameterGroups(All&& all)  // NOLINT
      : groups{ParameterGroup{ParameterList(std::forward<All>(all))}} {}
  ParameterGroups(std::initializer_list<ParameterGroup> all) : groups(all) {}   // NOLINT
  ParameterGroups(std::vector<ParameterGroup> all) : groups(std::move(all)) {}  // NOLINT

  std::vector<ParameterGroup> groups;
};

}  // namespace regard::optim
