#include "autograd/gradcheck/analytic.h"

#include "autograd/backward.h"
#include "autograd/gradcheck/loose_rounding.h"
#include "tensor/create.h"
#include "tensor/ops/join.h"
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

Functions gradient_function(const Function& f, std::size_t input_count) {
  return [&f, input_count](const std::vector<Variable>& all) {
    const std::vector<Variable> inputs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(input_count));
    std::vector<Variable> leaves;
    for (const Variable& input : inputs)
      if (input.requires_grad()) leaves.push_back(input);
    return grad({f(inputs)}, leaves, {.gradients = {all.back()}, .create_graph = true, .allow_unused = true});
  };
}

std::vector<std::vector<double>> gradient_noise(const Functions& f, const std::vector<Tensor>& inputs,
                                                const std::vector<Tensor>& cotangents, Layout layout) {
  constexpr int times = 4;
  using Numbers = std::vector<std::vector<double>>;  // of each input, one behind the other
  const auto computed = [&] {
    Numbers numbers;
    for (const Tensor& gradient : analytic_gradients(f, inputs, cotangents, layout))
      numbers.push_back(gradient.defined() ? to_vector(gradient) : std::vector<double>());
    return numbers;
  };
  std::vector<Numbers> loosened;
  for (std::uint64_t seed = 1; seed <= times; ++seed) {
    const LooseRounding loose(seed);
    loosened.push_back(computed());
  }
  Numbers noise = computed();
  double largest = 0;
  for (const std::vector<double>& of_input : noise)
    for (const double one : of_input) largest = std::max(largest, std::abs(one));
  for (std::size_t i = 0; i < noise.size(); ++i)
    for (std::size_t n = 0; n < noise[i].size(); ++n) {
      double mean = 0, squares = 0;
      for (const Numbers& one : loosened) mean += one[i][n] / times;
      for (const Numbers& one : loosened) squares += std::pow(one[i][n] - mean, 2) / (times - 1);
      noise[i][n] = std::min(30 * std::sqrt(squares), 1e-6 * largest);
    }
  return noise;
}

}  // namespace regard::gradchecks
