#include "tests/cases/error_by_step.h"

#include "autograd/gradcheck/analytic.h"
#include "autograd/gradcheck/slopes.h"

#include <algorithm>
#include <cmath>

namespace regard::cases {
namespace {

using Tensors = std::vector<Tensor>;

constexpr int steps_in_a_decade = 4;
constexpr std::int64_t most_elements = 24;  // of each input

Tensors in_dtype(const Tensors& list, DType dtype) {
  Tensors result;
  for (const Tensor& x : list) result.push_back(is_float(x.dtype()) ? to(x, dtype) : x);
  return result;
}

// Numbers that are the same in f32, so that both types are measured at the same place.
Tensor rounded(const Tensor& x) { return is_float(x.dtype()) ? to(to(x, DType::f32), DType::f64) : x; }

using Problem = gradchecks::Weighted;

// How much more Σ c·f is at the one place than at the other: result by result, so that little is rounded here.
double rise(const Problem& problem, const Tensors& from, const Tensors& to_here, DType dtype) {
  const auto results = [&](const Tensors& values) {
    std::vector<Variable> leaves;
    for (const Tensor& x : in_dtype(values, dtype)) leaves.push_back(is_float(x.dtype()) ? parameter(x) : Variable(x));
    return problem.f(leaves);
  };
  const std::vector<Variable> above = results(to_here), below = results(from);
  double sum = 0;
  for (std::size_t k = 0; k < above.size(); ++k) {
    const auto c = to_vector(problem.cotangents[k]), u = to_vector(above[k].value()), l = to_vector(below[k].value());
    for (std::size_t i = 0; i < c.size(); ++i) sum += c[i] * (u[i] - l[i]);
  }
  return sum;
}

double as_stored(double x, DType dtype) { return dtype == DType::f32 ? static_cast<double>(static_cast<float>(x)) : x; }

double slope(const Problem& problem, std::size_t input, std::size_t index, double h, DType dtype) {
  std::vector<double> values = to_vector(problem.inputs[input]);
  const double x = values[index], step = h * std::max(1.0, std::abs(x));
  const double above = as_stored(x + step, dtype), below = as_stored(x - step, dtype);
  Tensors upper = problem.inputs, lower = problem.inputs;
  values[index] = above;
  upper[input] = tensor(values, problem.inputs[input].shape(), DType::f64);
  values[index] = below;
  lower[input] = tensor(values, problem.inputs[input].shape(), DType::f64);
  return rise(problem, lower, upper, dtype) / (above - below);
}

double median(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  std::ranges::nth_element(numbers, numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2));
  return numbers[numbers.size() / 2];
}

// The bend is read off where steps are wide, and f64 has rounded nothing that shows. It is one only if the error grows
// with the step there.
double bend_of(const ErrorByStep& in_f64) {
  std::vector<double> bends, errors;
  for (std::size_t i = 0; i < in_f64.steps.size(); ++i) {
    const double h = in_f64.steps[i];
    if (h < 0.005 || h > 0.05) continue;
    bends.push_back(in_f64.errors[i] / (h * h));
    errors.push_back(in_f64.errors[i]);
  }
  return errors.back() > 10 * errors.front() ? median(bends) : 0;
}

// The rounding is read off where steps are so narrow that the bend does not count.
void read_off(ErrorByStep& curve, double bend) {
  curve.bend = bend;
  std::vector<double> roundings;
  for (std::size_t i = 0; i < curve.steps.size(); ++i)
    if (const double h = curve.steps[i]; h < 0.005 && curve.errors[i] >= 10 * bend * h * h)
      roundings.push_back(curve.errors[i] * h);
  curve.rounding = median(roundings);
}

// Some elements of each input, evenly spread.
struct Element {
  std::size_t input, index;
  double x, gradient;
};
std::vector<Element> some_elements(const Problem& problem, const Tensors& gradients) {
  std::vector<Element> list;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) continue;
    const auto x = to_vector(problem.inputs[i]), gradient = to_vector(gradients[i]);
    for (std::size_t m = 0; m < x.size(); m += 1 + x.size() / most_elements) list.push_back({i, m, x[m], gradient[m]});
  }
  return list;
}

// Is this step so narrow that some number does not move at all?
bool is_lost(const std::vector<Element>& elements, double h, DType dtype) {
  return std::ranges::any_of(elements, [&](const Element& e) {
    const double step = h * std::max(1.0, std::abs(e.x));
    return as_stored(e.x + step, dtype) == e.x || as_stored(e.x - step, dtype) == e.x;
  });
}

ErrorByStep measured(const Problem& problem, const std::vector<Element>& elements, int order, DType dtype) {
  ErrorByStep curve{order, dtype, {}, {}, 0, 0};
  double size = 0;
  for (const Element& e : elements) size += e.gradient * e.gradient;
  for (int n = -12 * steps_in_a_decade; n <= 0; ++n) {
    const double h = std::pow(10, static_cast<double>(n) / steps_in_a_decade);
    if (is_lost(elements, h, dtype)) continue;
    double squares = 0;
    for (const Element& e : elements) squares += std::pow(slope(problem, e.input, e.index, h, dtype) - e.gradient, 2);
    curve.steps.push_back(h);
    curve.errors.push_back(std::sqrt(squares / size));
  }
  return curve;
}

Problem problem_of(const Case& row, int order, std::uint64_t seed) {
  Generator generator(seed);
  Problem problem;
  for (const Variable& x : row.inputs) problem.inputs.push_back(rounded(x.value()));
  const auto cotangent = [&](const Shape& shape) { return rounded(gradchecks::random_cotangent(shape, generator)); };
  std::vector<Variable> leaves;
  for (const Tensor& x : problem.inputs) leaves.emplace_back(x);
  const Tensor c = cotangent(row.f(leaves).shape());
  if (order == 1) {
    problem.f = [&row](const std::vector<Variable>& in) { return std::vector<Variable>{row.f(in)}; };
    problem.cotangents = {c};
    return problem;
  }
  for (const Tensor& x : problem.inputs)
    if (is_float(x.dtype())) problem.cotangents.push_back(cotangent(x.shape()));
  problem.f = gradchecks::gradient_function(row.f, problem.inputs.size());
  problem.inputs.push_back(c);
  return problem;
}

}  // namespace

double ErrorByStep::best_step() const { return std::cbrt(rounding / (2 * bend)); }

std::vector<ErrorByStep> errors_by_step(const Case& row, int order, std::uint64_t seed) {
  std::vector<ErrorByStep> list;
  for (int one = 1; one <= order; ++one) {
    const Problem problem = problem_of(row, one, seed);
    const Tensors gradients = gradchecks::analytic_gradients(problem, gradchecks::Layout::contiguous);
    const std::vector<Element> elements = some_elements(problem, gradients);
    if (std::ranges::all_of(elements, [](const Element& e) { return e.gradient == 0; })) continue;
    ErrorByStep in_f64 = measured(problem, elements, one, DType::f64);
    const double bend = bend_of(in_f64);
    read_off(in_f64, bend);
    list.push_back(std::move(in_f64));
    try {
      ErrorByStep in_f32 = measured(problem, elements, one, DType::f32);
      read_off(in_f32, bend);
      list.push_back(std::move(in_f32));
    } catch (const Error&) {  // a case that converts to f64 itself
    }
  }
  return list;
}

}  // namespace regard::cases
