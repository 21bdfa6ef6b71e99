#include "nn/optim/groups.h"

namespace regard::optim {
namespace {

std::vector<NamedParameter> without_names(const std::vector<Variable>& parameters) {
  std::vector<NamedParameter> list;
  for (const Variable& parameter : parameters) list.push_back({"", parameter});
  return list;
}

}  // namespace

ParameterList::ParameterList(std::initializer_list<Variable> parameters) : list_(without_names(parameters)) {}
ParameterList::ParameterList(const std::vector<Variable>& parameters) : list_(without_names(parameters)) {}
ParameterList::ParameterList(std::vector<NamedParameter> parameters) : list_(std::move(parameters)) {}

}  // namespace regard::optim
