#pragma once

#include "nn/check.h"
#include "tests/catch.h"

namespace regard::nn {

// Gradients with respect to the inputs and every parameter, to second order, in both layouts of memory.
template <Module M, class Forward>
void check_gradients(const char* name, const M& module, const std::vector<Variable>& inputs, const Forward& forward) {
  for (const gradchecks::Layout layout : {gradchecks::Layout::contiguous, gradchecks::Layout::strided}) {
    const GradcheckReport report = gradcheck_module(module, inputs, forward, {.layout = layout});
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
