#include "autograd/gradcheck/slopes.h"

#include "tensor/arithmetic.h"
#include "tensor/create.h"
#include "tensor/pointwise.h"
#include "tensor/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard::gradcheck_detail {

SlopeMeter::SlopeMeter(const Functions& f, std::vector<Tensor> inputs, std::vector<Tensor> cotangents, double eps)
    : f_(f), inputs_(std::move(inputs)), cotangents_(std::move(cotangents)), outputs_(evaluate(inputs_)), eps_(eps) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) scale_ += sum(abs(multiply(cotangents_[i], outputs_[i]))).item();
}

std::vector<Tensor> SlopeMeter::evaluate(const std::vector<Tensor>& inputs) const {
  std::vector<Variable> leaves;
  for (const Tensor& input : inputs) leaves.push_back(is_float(input.dtype()) ? parameter(input) : Variable(input));
  std::vector<Tensor> values;
  for (const Variable& output : f_(leaves)) values.push_back(output.value());
  return values;
}

double SlopeMeter::difference(const std::vector<Tensor>& upper, const std::vector<Tensor>& lower) const {
  double total = 0;
  for (std::size_t i = 0; i < upper.size(); ++i)
    total += sum(multiply(cotangents_[i], subtract(upper[i], lower[i]))).item();
  return total;
}

std::vector<Tensor> SlopeMeter::moved(std::size_t input, std::int64_t index, double to) const {
  std::vector<double> values = to_vector(inputs_[input]);
  values[static_cast<std::size_t>(index)] = to;
  std::vector<Tensor> inputs = inputs_;
  inputs[input] = tensor(values, inputs_[input].shape(), DType::f64);
  return inputs;
}

Slopes SlopeMeter::at(std::size_t input, std::int64_t index) const {
  const double x = to_vector(inputs_[input])[static_cast<std::size_t>(index)];
  const auto slopes = [&](double step) {
    const double above = x + step, below = x - step;  // the steps that were taken are above − x and x − below
    const auto up = evaluate(moved(input, index, above)), down = evaluate(moved(input, index, below));
    return Slopes{difference(up, down) / (above - below), difference(outputs_, down) / (x - below),
                  difference(up, outputs_) / (above - x)};
  };
  const double step = eps_ * std::max(1.0, std::abs(x));
  Slopes result = slopes(step);
  // Where f is smooth the gap between right and left is h·f″, and shrinks as h does. At a kink it stays; close to one it
  // jumps to 0. A gap that rounding alone could open says nothing.
  const double gap = std::abs(result.right - result.left);
  const double rounding = std::numeric_limits<double>::epsilon() * (1 + scale_) / step;
  if (gap > 1e-3 * std::max(std::abs(result.left), std::abs(result.right)) && gap > 1e4 * rounding) {
    const Slopes closer = slopes(step / 16);
    const double closer_gap = std::abs(closer.right - closer.left);
    result.kinked = closer_gap > gap / 4 || closer_gap < gap / 64;
  }
  return result;
}

}  // namespace regard::gradcheck_detail
