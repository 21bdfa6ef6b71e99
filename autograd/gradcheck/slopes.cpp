#include "autograd/gradcheck/slopes.h"

#include "autograd/gradcheck/loose_rounding.h"
#include "tensor/create.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard::gradchecks {

SlopeMeter::SlopeMeter(const Functions& f, std::vector<Tensor> inputs, std::vector<Tensor> cotangents, double eps)
    : f_(f), inputs_(std::move(inputs)), cotangents_(std::move(cotangents)), outputs_(evaluate(inputs_)), eps_(eps) {}

std::vector<Tensor> SlopeMeter::evaluate(const std::vector<Tensor>& inputs) const {
  std::vector<Variable> leaves;
  for (const Tensor& input : inputs) leaves.push_back(is_float(input.dtype()) ? parameter(input) : Variable(input));
  std::vector<Tensor> values;
  for (const Variable& output : f_(leaves)) values.push_back(output.value());
  return values;
}

std::vector<Tensor> SlopeMeter::moved(std::size_t input, std::int64_t index, double to) const {
  std::vector<double> values = to_vector(inputs_[input]);
  values[static_cast<std::size_t>(index)] = to;
  std::vector<Tensor> inputs = inputs_;
  inputs[input] = tensor(values, inputs_[input].shape(), DType::f64);
  return inputs;
}

Slopes SlopeMeter::over(std::size_t input, std::int64_t index, double x, double step) const {
  const double above = x + step, below = x - step;  // after rounding, the steps taken are above − x and x − below
  const auto upper = evaluate(moved(input, index, above)), lower = evaluate(moved(input, index, below));
  double rise = 0, rise_right = 0, rise_left = 0, size = 0;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const auto c = to_vector(cotangents_[k]), u = to_vector(upper[k]), m = to_vector(outputs_[k]),
               l = to_vector(lower[k]);
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (u[i] == l[i] && u[i] == m[i]) continue;
      rise += c[i] * (u[i] - l[i]);
      rise_right += c[i] * (u[i] - m[i]);
      rise_left += c[i] * (m[i] - l[i]);
      size += std::abs(c[i]) * (std::abs(u[i]) + std::abs(l[i]));
    }
  }
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * size;  // a few units in the last place of each
  return {rise / (above - below), rise_left / (x - below), rise_right / (above - x), rounding / (above - below)};
}

double SlopeMeter::element(std::size_t input, std::int64_t index) const {
  return to_vector(inputs_[input])[static_cast<std::size_t>(index)];
}
double SlopeMeter::step_at(double x) const { return eps_ * std::max(1.0, std::abs(x)); }

Slopes SlopeMeter::at(std::size_t input, std::int64_t index) const {
  const double x = element(input, index), step = step_at(x);
  const Slopes wide = over(input, index, x, step), narrow = over(input, index, x, step / 2);
  // The error of a central slope is C·h² + …: from two steps, h and h/2, the C·h² can be taken out (Richardson).
  Slopes result = narrow;
  result.central = (4 * narrow.central - wide.central) / 3;
  result.noise = (4 * narrow.noise + wide.noise) / 3;
  // Where f is smooth the gap between right and left is h·f″, and shrinks as h does. At a kink it stays; close to one
  // it jumps to 0. A gap that rounding alone could open says nothing.
  const auto gap_of = [](const Slopes& slopes) { return std::abs(slopes.right - slopes.left); };
  const double gap = gap_of(wide);
  if (gap > 1e-3 * std::max(std::abs(wide.left), std::abs(wide.right)) && gap > 1e3 * wide.noise) {
    const double close_gap = gap_of(over(input, index, x, step / 16));
    result.may_have_kink = gap_of(narrow) > 0.7 * gap || close_gap > gap / 4 || close_gap < gap / 64;
  }
  if (!result.may_have_kink) return result;
  // A kink at a distance d < h opens a gap of (1 − d/h) of its own: over 4h, at least three quarters of it.
  const Slopes wider = over(input, index, x, 4 * step);
  result.left = wider.left;
  result.right = wider.right;
  return result;
}

// Results that the element has no influence on would add their loose rounding, and nothing else. Those that depend on
// it change over the widest step, if not over narrow ones. If none does, those that change over this step may count.
SlopeMeter::Weights SlopeMeter::weights_of_dependent(std::size_t input, std::int64_t index, double widening) const {
  const Weights weights = weights_of_changed(input, index, widest_look);
  const bool has_changed = std::ranges::any_of(
      weights, [](const auto& each) { return std::ranges::any_of(each, [](double weight) { return weight != 0; }); });
  return has_changed || widening == widest_look ? weights : weights_of_changed(input, index, widening);
}

SlopeMeter::Weights SlopeMeter::weights_of_changed(std::size_t input, std::int64_t index, double widening) const {
  const double x = element(input, index), step = widening * step_at(x);
  const auto upper = evaluate(moved(input, index, x + step)), lower = evaluate(moved(input, index, x - step));
  Weights weights;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    weights.push_back(to_vector(cotangents_[k]));
    const auto u = to_vector(upper[k]), m = to_vector(outputs_[k]), l = to_vector(lower[k]);
    for (std::size_t i = 0; i < m.size(); ++i)
      if (u[i] == m[i] && l[i] == m[i]) weights[k][i] = 0;
  }
  return weights;
}

double SlopeMeter::rise_to(std::size_t input, std::int64_t index, double to, const Weights& weights) const {
  const auto there = evaluate(moved(input, index, to));
  double rise = 0;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const auto u = to_vector(there[k]), m = to_vector(outputs_[k]);
    for (std::size_t i = 0; i < m.size(); ++i)
      if (weights[k][i] != 0) rise += weights[k][i] * (u[i] - m[i]);
  }
  return rise;
}

// L(x + t) − L(x) is half an odd and half an even function of t. The slope of the odd half is that of L; the even half
// has a slope where L has a kink.
FittedSlopes SlopeMeter::fitted(std::size_t input, std::int64_t index, double widening) const {
  const auto weights = weights_of_dependent(input, index, widening);
  const LooseRounding loose(1);
  const double x = element(input, index), h = widening * step_at(x);
  Samples odd, even;
  for (int i = 0; i < sample_count; ++i) {
    const double t = h * (i + 1) / sample_count;
    const double above = rise_to(input, index, x + t, weights), below = rise_to(input, index, x - t, weights);
    const auto n = static_cast<std::size_t>(i);
    odd[n] = (above - below) / 2;
    even[n] = (above + below) / 2;
  }
  return {fitted_slope(odd, h), fitted_slope(even, h), std::ranges::any_of(odd, [](double y) { return y != 0; })};
}

}  // namespace regard::gradchecks
