#include "autograd/gradcheck/analytic.h"

#include "autograd/backward.h"
#include "autograd/elements.h"
#include "autograd/gradcheck/loose_rounding.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
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

std::vector<Tensor> noises_of(const Weighted& l, Layout layout, const std::vector<Tensor>& gradients) {
  std::vector<std::vector<Tensor>> loosened;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const LooseRounding loose(seed);
    loosened.push_back(analytic_gradients(l, layout));
  }
  double largest = 0;
  for (const Tensor& gradient : gradients)
    if (gradient.defined() && gradient.numel() > 0) largest = std::max(largest, max(abs(gradient)).item());
  std::vector<Tensor> noises(gradients.size());
  for (std::size_t i = 0; i < noises.size(); ++i) {
    if (!gradients[i].defined()) continue;
    const Tensor all = stack({loosened[0][i], loosened[1][i], loosened[2][i], loosened[3][i]}, 0);
    noises[i] = minimum(30 * sqrt(var(all, 0, KeepDim::no, 1)), 1e-6 * largest);
  }
  return noises;
}

}  // namespace

std::vector<Tensor> analytic_gradients(const Weighted& l, Layout layout, int wanted) {
  std::vector<Variable> variables, leaves;
  for (std::size_t i = 0; i < l.inputs.size(); ++i) {
    const Tensor x = lay_out(l.inputs[i], layout);
    const bool is_leaf = is_float(x.dtype()) && (wanted < 0 || wanted == static_cast<int>(i));
    variables.push_back(is_leaf ? parameter(x) : Variable(x));
    if (is_leaf) leaves.push_back(variables.back());
  }
  std::vector<Variable> outputs, weights;
  const std::vector<Variable> results = l.f(variables);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].requires_grad()) continue;
    outputs.push_back(results[i]);
    weights.push_back(lay_out(l.cotangents[i], layout));
  }
  std::vector<Tensor> gradients(variables.size());
  const auto found = grad(outputs, leaves, {.gradients = weights, .allow_unused = true});
  for (std::size_t i = 0, leaf = 0; i < variables.size(); ++i)
    if (variables[i].requires_grad()) gradients[i] = found[leaf++].value();
  return gradients;
}

Functions gradient_function(const Function& f, std::size_t input_count) {
  return [&f, input_count](const std::vector<Variable>& all) {
    const std::vector<Variable> inputs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(input_count));
    std::vector<Variable> leaves;
    for (const Variable& input : inputs)
      if (input.requires_grad()) leaves.push_back(input);
    return grad({f(inputs)}, leaves, {.gradients = {all.back()}, .create_graph = true, .allow_unused = true});
  };
}

double ByRules::at(std::size_t input, std::int64_t element) const { return element_of(gradients_[input], element); }

double ByRules::noise(std::size_t input, std::int64_t element) {
  if (noises_.empty()) noises_ = noises_of(l_, layout_, gradients_);
  return element_of(noises_[input], element);
}

}  // namespace regard::gradchecks
