#pragma once

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard {

// Runs two functions on the same inputs, and compares values, gradients, and the gradients that can be differentiated
// themselves.
inline void require_alike(const gradchecks::Function& fused, const gradchecks::Function& composed,
                          const std::vector<Tensor>& values, double tolerance) {
  std::vector<Variable> in;
  for (const Tensor& value : values) in.push_back(parameter(value));
  const Variable one = fused(in), other = composed(in);
  CHECK(allclose(one.value(), other.value(), tolerance, tolerance));
  const Tensor g = noise(one.shape(), 9, one.dtype());
  const auto first = grad({one}, in, {.gradients = {g}}), second = grad({other}, in, {.gradients = {g}});
  const auto third = grad({fused(in)}, in, {.gradients = {g}, .create_graph = true});
  for (std::size_t i = 0; i < in.size(); ++i) {
    INFO("gradient of input " << i);
    CHECK(allclose(first[i].value(), second[i].value(), 20 * tolerance, 20 * tolerance));
    CHECK(allclose(third[i].value(), second[i].value(), 20 * tolerance, 20 * tolerance));
  }
}

// A fused operation and its composed twin, which are not the same operation.
inline void require_same(const gradchecks::Function& fused, const gradchecks::Function& composed,
                         const std::vector<Tensor>& values, double tolerance) {
  std::vector<Variable> in;
  for (const Tensor& value : values) in.push_back(parameter(value));
  const Variable one = fused(in), other = composed(in);
  REQUIRE(one.node() != nullptr);
  CHECK(one.node()->op.name != other.node()->op.name);
  require_alike(fused, composed, values, tolerance);
}

}  // namespace regard
