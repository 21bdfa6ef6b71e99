#pragma once

#include "autograd/gradcheck/gradcheck.h"
#include "nn/module.h"

namespace regard::nn {

// Puts a list of Variables in the place of the parameters of a module, in the order of its list.
struct PutParameters : Visitor {
  explicit PutParameters(std::vector<Variable>::const_iterator first) : next_(first) {}
  void on_parameter(const std::string&, Variable& parameter) override { parameter = *next_++; }

 private:
  std::vector<Variable>::const_iterator next_;
};

// Are the gradients of a module right, with respect to its inputs and to every parameter? The report names the
// parameter that is off. The module is to be of f64; `forward` calls it:
//
//   gradcheck_module(attention, {q, k, v}, [](auto& m, const auto& in) { return m(in[0], in[1], in[2]).output; })
//
// Each evaluation works on a copy of the module, so dropout drops the same each time.
template <Module M, class Forward>
GradcheckReport gradcheck_module(M module, const std::vector<Variable>& inputs, const Forward& forward,
                                 GradcheckOptions options = {}) {
  std::vector<Variable> all = inputs;
  options.names.resize(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (options.names[i].empty()) options.names[i] = fmt::format("input {}", i);
  for (auto& [name, parameter] : named_parameters(module)) {
    all.push_back(parameter);
    options.names.push_back(name);
  }
  const gradchecks::Function f = [&](const std::vector<Variable>& in) {
    M copy = module;
    PutParameters put(in.begin() + static_cast<std::ptrdiff_t>(inputs.size()));
    copy.visit(put);
    return forward(copy, in);
  };
  return gradcheck(f, all, options);
}

}  // namespace regard::nn
