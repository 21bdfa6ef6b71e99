#include "autograd/gradcheck/analytic.h"

#include "autograd/backward.h"
#include "autograd/gradcheck/loose_rounding.h"
#include "tensor/create.h"
#include "tensor/ops/join.h"
#include "tensor/view.h"

#include <cmath>

namespace regard::gradchecks {
namespace {

// The same values, seen through strides that skip: every second element of a buffer with NaN in between.
Tensor lay_out(const Tensor& x, Layout layout) {
  if (layout == Layout::contiguous || x.rank() == 0 || !is_float(x.dtype())) return x;
  const Tensor values = flatten(x), gaps = full(values.shape(), std::nan(""), x.dtype());
  Shape doubled = x.shape();
  doubled[doubled.rank() - 1] *= 2;
  return slice(reshape(stack({values, gaps}, -1), doubled), -1, 0, to_end, 2);
}

}  // namespace

std::vector<Tensor> analytic_gradients(const Functions& f, const std::vector<Tensor>& inputs,
                                       const std::vector<Tensor>& cotangents, Layout layout, int wanted) {
  std::vector<Variable> variables, leaves;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor x = lay_out(inputs[i], layout);
    const bool is_leaf = is_float(x.dtype()) && (wanted < 0 || wanted == static_cast<int>(i));
    variables.push_back(is_leaf ? parameter(x) : Variable(x));
    if (is_leaf) leaves.push_back(variables.back());
  }
  std::vector<Variable> outputs, weights;
  const std::vector<Variable> results = f(variables);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].requires_grad()) continue;
    outputs.push_back(results[i]);
    weights.push_back(lay_out(cotangents[i], layout));
  }
  std::vector<Tensor> gradients(inputs.size());
  const auto found = grad(outputs, leaves, {.gradients = weights, .allow_unused = true});
  for (std::size_t i = 0, leaf = 0; i < inputs.size(); ++i)
    if (variables[i].requires_grad()) gradients[i] = found[leaf++].value();
  return gradients;
}

std::vector<std::vector<double>> gradient_noise(const Functions& f, const std::vector<Tensor>& inputs,
                                                const std::vector<Tensor>& cotangents, Layout layout) {
  constexpr int times = 4;
  std::vector<std::vector<double>> first, noise(inputs.size());
  for (const Tensor& exact : analytic_gradients(f, inputs, cotangents, layout))
    first.push_back(exact.defined() ? to_vector(exact) : std::vector<double>());
  for (std::size_t i = 0; i < inputs.size(); ++i) noise[i].resize(first[i].size());
  for (std::uint64_t seed = 1; seed <= times; ++seed) {
    const LooseRounding loose(seed);
    const std::vector<Tensor> gradients = analytic_gradients(f, inputs, cotangents, layout);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      for (std::size_t n = 0; n < first[i].size(); ++n)
        noise[i][n] += std::pow(to_vector(gradients[i])[n] - first[i][n], 2) / times;
  }
  for (std::vector<double>& of_input : noise)
    for (double& one : of_input) one = 30 * std::sqrt(one);
  return noise;
}

}  // namespace regard::gradchecks
