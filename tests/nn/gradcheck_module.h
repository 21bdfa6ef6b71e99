#pragma once

#include "autograd/gradcheck/gradcheck.h"
#include "nn/module.h"
#include "tests/catch.h"

namespace regard::nn {

// Puts a list of Variables in the place of the parameters.
struct Replacer : Visitor {
  explicit Replacer(std::vector<Variable>::const_iterator first) : next_(first) {}
  void on_parameter(const std::string&, Variable& parameter) override { parameter = *next_++; }

 private:
  std::vector<Variable>::const_iterator next_;
};

// Gradients with respect to the inputs and every parameter, to second order. Each evaluation works on a copy of the
// module, so dropout draws the same numbers every time.
template <Module M, class Forward>
void check_gradients(const char* name, M module, const std::vector<Variable>& inputs, const Forward& forward) {
  std::vector<Variable> all = inputs;
  for (const Variable& parameter : parameters(module)) all.push_back(parameter);
  const gradchecks::Function f = [&](const std::vector<Variable>& in) {
    M copy = module;
    Replacer replacer(in.begin() + static_cast<std::ptrdiff_t>(inputs.size()));
    copy.visit(replacer);
    return forward(copy, in);
  };
  for (const gradchecks::Layout layout : {gradchecks::Layout::contiguous, gradchecks::Layout::strided}) {
    const GradcheckReport report = gradcheck(f, all, {.layout = layout});
    INFO(name << ": " << to_string(report));
    CHECK(report.passed());
  }
}

template <Module M>
void check_gradients(const char* name, const M& module, const Shape& x) {
  Generator generator(7);
  check_gradients(name, module, {normal(x, generator, 0, 1, DType::f64)},
                  [](M& layer, const std::vector<Variable>& in) { return layer(in[0]); });
}

}  // namespace regard::nn
