#include "autograd/gradcheck/slopes.h"

#include "autograd/elements.h"
#include "autograd/gradcheck/loose_rounding.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard::gradchecks {

std::vector<Variable> leaves_of(const std::vector<Tensor>& inputs) {
  std::vector<Variable> leaves;
  for (const Tensor& input : inputs) leaves.push_back(is_float(input.dtype()) ? parameter(input) : Variable(input));
  return leaves;
}

std::vector<Tensor> results(const Functions& f, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> values;
  for (const Variable& output : f(leaves_of(inputs))) values.push_back(output.value());
  return values;
}

Tensor random_cotangent(const Shape& shape, Generator& generator) {
  const Tensor u = uniform(shape, generator, -1, 1, DType::f64);
  return where(less(u, 0), u - 0.5, u + 0.5);
}

SlopeMeter::SlopeMeter(const Weighted& l, const std::vector<Tensor>& results, std::size_t input, std::int64_t index,
                       double eps)
    : l_(l),
      results_(results),
      input_(input),
      index_(index),
      x_(element_of(l.inputs[input], index)),
      step_(eps * std::max(1.0, std::abs(x_))) {}

// (L(x + h) − L(x − h))/2h, taken result by result.
Slopes SlopeMeter::over(double step) const {
  const double above = x_ + step, below = x_ - step;  // after rounding, the steps taken are above − x and x − below
  const Tensors upper = results_at(above), lower = results_at(below), weights = weights_of_changed(upper, lower);
  const double rise_right = rise(upper, weights), rise_left = -rise(lower, weights);
  double size = 0;
  for (std::size_t k = 0; k < weights.size(); ++k)
    size += sum(where(weights[k], abs(weights[k]) * (abs(upper[k]) + abs(lower[k])), 0)).item();
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * size;  // a few units in the last digit of each
  return {.central = (rise_right + rise_left) / (above - below),
          .half_gap = (rise_right / (above - x_) - rise_left / (x_ - below)) / 2,
          .noise = rounding / (above - below)};
}

Slopes SlopeMeter::first() const {
  const Slopes wide = over(step_), narrow = over(step_ / 2);
  // The error of a central slope is C·h² + …: from two steps, h and h/2, the C·h² can be taken out (Richardson).
  Slopes result;
  result.central = (4 * narrow.central - wide.central) / 3;
  result.noise = (4 * narrow.noise + wide.noise) / 3;
  // Where f is smooth the gap between right and left is h·f″, and shrinks as h does. At a kink it stays; close to one
  // it jumps to 0. A gap that rounding alone could open says nothing.
  const double gap = std::abs(wide.half_gap);
  if (!(gap > 5e-4 * (std::abs(wide.central) + gap) && gap > 500 * wide.noise)) return result;
  const double close_gap = std::abs(over(step_ / 16).half_gap);
  const bool may_have_kink = std::abs(narrow.half_gap) > 0.7 * gap || close_gap > gap / 4 || close_gap < gap / 64;
  // A kink at a distance d < h opens a gap of (1 − d/h) of its own: over 4h, at least three quarters of it.
  if (may_have_kink) result.half_gap = over(4 * step_).half_gap;
  return result;
}

SlopeMeter::Tensors SlopeMeter::results_at(double to) const {
  Tensors inputs = l_.inputs;
  std::vector<double> values = to_vector(inputs[input_]);
  values[static_cast<std::size_t>(index_)] = to;
  inputs[input_] = tensor(values, inputs[input_].shape(), DType::f64);
  return results(l_.f, inputs);
}

// Results that are the same at x and on both sides of it have the weight 0: they would add rounding, and nothing else.
SlopeMeter::Tensors SlopeMeter::weights_of_changed(const Tensors& upper, const Tensors& lower) const {
  Tensors weights = l_.cotangents;
  for (std::size_t k = 0; k < weights.size(); ++k)
    weights[k] = weights[k] * (1 - equal(upper[k], results_[k]) * equal(lower[k], results_[k]));
  return weights;
}

// Differences are taken result by result before they are summed.
double SlopeMeter::rise(const Tensors& there, const Tensors& weights) const {
  double rise = 0;
  for (std::size_t k = 0; k < weights.size(); ++k)
    rise += sum(where(weights[k], weights[k] * (there[k] - results_[k]), 0)).item();
  return rise;
}

// The results that depend on the element change over the widest step, if not over narrow ones. If none does, those that
// change over this step may count.
SlopeMeter::Tensors SlopeMeter::weights_of_dependent(double widening) const {
  const auto weights_over = [&](double step) {
    return weights_of_changed(results_at(x_ + step), results_at(x_ - step));
  };
  const Tensors weights = weights_over(widest_look * step_);
  const bool has_changed = std::ranges::any_of(weights, [](const Tensor& w) { return any(w).item() != 0; });
  return has_changed || widening == widest_look ? weights : weights_over(widening * step_);
}

// L(x + t) − L(x) is half an odd and half an even function of t. The slope of the odd half is that of L; the even half
// has a slope where L has a kink.
FittedSlopes SlopeMeter::fitted(double widening) const {
  const Tensors weights = weights_of_dependent(widening);
  const LooseRounding loose(1);
  const double h = widening * step_;
  Samples odd, even;
  for (std::size_t i = 0; i < sample_count; ++i) {
    const double t = h * static_cast<double>(i + 1) / sample_count;
    const double above = rise(results_at(x_ + t), weights), below = rise(results_at(x_ - t), weights);
    odd[i] = (above - below) / 2;
    even[i] = (above + below) / 2;
  }
  return {fitted_slope(odd, h), fitted_slope(even, h), std::ranges::any_of(odd, [](double y) { return y != 0; })};
}

}  // namespace regard::gradchecks
