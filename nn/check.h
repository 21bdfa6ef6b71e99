#pragma once

#include "autograd/gradcheck/bisect/bisect.h"
#include "nn/module.h"

namespace regard::nn {

// A module as a function of its inputs, which come first, and of all of its parameters. Each evaluation works on a copy
// of the module, so dropout drops the same each time.
struct ModuleFunction {
  gradchecks::Function f;
  std::vector<Variable> inputs;
  std::vector<std::string> names;  // "input 0", …, then those of the parameters
};
template <Module M, class Forward>
ModuleFunction as_function(M module, const std::vector<Variable>& inputs, const Forward& forward) {
  ModuleFunction made{{}, inputs, {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) made.names.push_back(fmt::format("input {}", i));
  for (auto& [name, parameter] : named_parameters(module)) {
    made.inputs.push_back(parameter);
    made.names.push_back(name);
  }
  made.f = [module, forward, count = inputs.size()](const std::vector<Variable>& in) {
    M copy = module;
    auto next = in.begin() + static_cast<std::ptrdiff_t>(count);
    replace_parameters(copy, [&](const std::string&, const Variable&) { return *next++; });
    return forward(copy, in);
  };
  return made;
}

// Are the gradients of a module right, with respect to its inputs and to every parameter? The report names those that
// are off. A wrong rule makes all that come before it wrong, so bisect is asked which rule it is. The module is to be
// of f64; `forward` calls it:
//
//   gradcheck_module(attention, {q, k, v}, [](auto& m, const auto& in) { return m(in[0], in[1], in[2]).output; })
template <Module M, class Forward>
GradcheckReport gradcheck_module(M module, const std::vector<Variable>& inputs, const Forward& forward,
                                 GradcheckOptions options = {}) {
  ModuleFunction function = as_function(std::move(module), inputs, forward);
  for (std::size_t i = 0; i < inputs.size() && i < options.names.size(); ++i)
    if (!options.names[i].empty()) function.names[i] = options.names[i];
  options.names = function.names;
  GradcheckReport report = gradcheck(function.f, function.inputs, options);
  const bool may_be_a_rule = report.verdict == gradchecks::Verdict::fail && report.worst > options.tolerance;
  if (!may_be_a_rule) return report;
  const BisectReport found = bisect(function.f, function.inputs, function.names);
  report.reason += "\nbisect: " + to_string(found);
  if (found.all_agree())
    report.reason += "\nno rule is wrong by itself: does a number leave the record by item(), value() or detach()?";
  return report;
}

}  // namespace regard::nn
