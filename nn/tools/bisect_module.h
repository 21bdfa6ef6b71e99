#pragma once

#include "autograd/gradcheck/bisect/bisect.h"
#include "nn/check.h"

namespace regard::nn {

// Which operation of a module has a wrong rule? A module as for gradcheck_module.
template <Module M, class Forward>
BisectReport bisect_module(M module, const std::vector<Variable>& inputs, const Forward& forward) {
  const ModuleFunction function = as_function(std::move(module), inputs, forward);
  return bisect(function.f, function.inputs, function.names);
}

}  // namespace regard::nn
