#include "autograd/gradcheck.h"

#include "autograd/backward.h"
#include "autograd/gradcheck/slopes.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/join.h"
#include "tensor/random.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard {
namespace {

using gradcheck_detail::Functions;
using gradcheck_detail::SlopeMeter;
using gradcheck_detail::Slopes;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nothing = 1e-8;  // a gradient below this, on both sides, counts as none

// The same values, seen through strides that skip: every second element of a buffer with NaN in between.
Tensor lay_out(const Tensor& x, Layout layout) {
  if (layout == Layout::contiguous || x.rank() == 0 || !is_float(x.dtype())) return x;
  const Tensor gaps = full(x.shape(), std::nan(""), x.dtype());
  Shape doubled = x.shape();
  doubled[doubled.rank() - 1] *= 2;
  return slice(reshape(stack({contiguous(x), gaps}, -1), doubled), -1, 0, to_end, 2);
}

// Numbers of both signs that are not small: an error in any output shows.
Tensor random_cotangent(const Shape& shape, Generator& generator) {
  const Tensor u = uniform(shape, generator, -1, 1, DType::f64);
  std::vector<double> values = to_vector(u);
  for (double& value : values) value += value < 0 ? -0.5 : 0.5;
  return tensor(values, shape, DType::f64);
}

// One order: analytic against numeric gradient of Σ c·f for every element of every f64 input.
class OrderCheck {
 public:
  OrderCheck(int order, const GradcheckOptions& options, GradcheckReport& report)
      : order_(order), options_(options), report_(report) {}

  void run(const Functions& f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& cotangents) {
    const std::vector<Variable> analytic = analytic_gradients(f, inputs, cotangents);
    const SlopeMeter meter(f, inputs, cotangents, options_.eps);
    double largest_of_all = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!is_float(inputs[i].dtype())) continue;
      const double largest = check_input(i, to_vector(analytic[i].value()), meter);
      largest_of_all = std::max(largest_of_all, largest);
      if (order_ == 1 && largest < nothing) blame_vacuous(i, inputs[i].shape());
    }
    // At second order single inputs may well have none: a linear function has no curvature. But not all of them.
    if (order_ == 2 && largest_of_all < nothing) set(Verdict::vacuous, "all second derivatives are 0");
  }

 private:
  std::vector<Variable> analytic_gradients(const Functions& f, const std::vector<Tensor>& inputs,
                                           const std::vector<Tensor>& cotangents) {
    std::vector<Variable> variables, leaves;
    for (const Tensor& input : inputs) {
      const bool real = is_float(input.dtype());
      variables.push_back(real ? parameter(lay_out(input, options_.layout)) : Variable(input));
      if (real) leaves.push_back(variables.back());
    }
    std::vector<Variable> outputs, weights;
    const std::vector<Variable> results = f(variables);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i].requires_grad()) continue;
      outputs.push_back(results[i]);
      weights.push_back(lay_out(cotangents[i], options_.layout));
    }
    const auto found = grad(outputs, leaves, {.gradients = weights, .allow_unused = true});
    std::vector<Variable> gradients;
    for (std::size_t i = 0, leaf = 0; i < inputs.size(); ++i)
      gradients.push_back(is_float(inputs[i].dtype()) ? found[leaf++] : Variable());
    return gradients;
  }

  // Returns the largest gradient found on either side.
  double check_input(std::size_t input, const std::vector<double>& analytic, const SlopeMeter& meter) {
    std::vector<Slopes> slopes;
    double largest = 0;
    for (std::size_t i = 0; i < analytic.size(); ++i) {
      slopes.push_back(meter.at(input, static_cast<std::int64_t>(i)));
      largest = std::max({largest, std::abs(slopes[i].central), std::abs(analytic[i])});
    }
    for (std::size_t i = 0; i < analytic.size(); ++i) {
      CheckedElement element{order_, input, static_cast<std::int64_t>(i), analytic[i], slopes[i].central, 0};
      // Where there is no gradient at all, the rounding of the numeric one is not measured against itself.
      const double floor = largest < nothing ? 1 : 1e-3 * largest;
      const double size = std::max({std::abs(analytic[i]), std::abs(slopes[i].central), floor});
      element.error = std::abs(analytic[i] - slopes[i].central) / size;
      if (!std::isfinite(element.error)) element.error = infinity;
      note(element, slopes[i]);
    }
    return largest;
  }

  void note(const CheckedElement& element, const Slopes& slopes) {
    if (order_ == 1) ++report_.element_count;
    if (options_.keep_elements) report_.elements.push_back(element);
    if (slopes.kinked)
      set(Verdict::kink,
          fmt::format("input {} element {}: the slope is {:.6g} to the left and {:.6g} to the right; move "
                      "the input away from the kink",
                      element.input, element.index, slopes.left, slopes.right));
    double& worst = order_ == 1 ? report_.worst : report_.worst_second;
    if (element.error >= std::max(report_.worst, report_.worst_second)) report_.worst_element = element;
    worst = std::max(worst, element.error);
    if (!(element.error <= options_.tolerance) && !slopes.kinked)
      set(Verdict::fail, fmt::format("order {}, input {} element {}: analytic {:.10g}, numeric {:.10g}", order_,
                                     element.input, element.index, element.analytic, element.numeric));
  }

  void blame_vacuous(std::size_t input, const Shape& shape) {
    set(Verdict::vacuous, shape.numel() == 0
                              ? fmt::format("input {} has no elements", input)
                              : fmt::format("input {}: analytic and numeric gradients are both 0", input));
  }

  // A failure outweighs a kink, and a kink outweighs a vacuous input. Of equals the first is told.
  void set(Verdict verdict, std::string reason) {
    const auto weight = [](Verdict v) {
      return v == Verdict::fail ? 3 : v == Verdict::kink ? 2 : v == Verdict::vacuous;
    };
    if (weight(verdict) <= weight(report_.verdict)) return;
    report_.verdict = verdict;
    report_.reason = std::move(reason);
  }

  int order_;
  const GradcheckOptions& options_;
  GradcheckReport& report_;
};

// The gradients of f as functions of (inputs, c): what second order differentiates.
Functions gradient_function(const Function& f, std::size_t input_count) {
  return [&f, input_count](const std::vector<Variable>& all) {
    const std::vector<Variable> inputs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(input_count));
    std::vector<Variable> leaves;
    for (const Variable& input : inputs)
      if (input.requires_grad()) leaves.push_back(input);
    return grad({f(inputs)}, leaves, {.gradients = {all.back()}, .create_graph = true, .allow_unused = true});
  };
}

}  // namespace

GradcheckReport gradcheck(const Function& f, const std::vector<Variable>& inputs, const GradcheckOptions& options) {
  if (options.order != 1 && options.order != 2)
    fail<ValueError>("gradcheck: order {} is neither 1 nor 2", options.order);
  GradcheckReport report;
  report.order = 1;
  std::vector<Tensor> values;
  for (const Variable& input : inputs) {
    values.push_back(input.value());
    report.shapes.push_back(input.shape());
  }
  const auto conclude = [&](Verdict verdict, std::string reason) {
    report.verdict = verdict;
    report.reason = std::move(reason);
    return report;
  };
  for (const Tensor& value : values)
    if (value.dtype() == DType::f32)
      return conclude(Verdict::float32,
                      "an input is f32: its rounding hides wrong gradients; convert it with to(x, DType::f64)");

  std::vector<Variable> leaves;
  for (const Tensor& value : values) leaves.push_back(is_float(value.dtype()) ? parameter(value) : Variable(value));
  const Variable output = f(leaves);
  if (output.dtype() == DType::f32)
    return conclude(Verdict::float32, "the result is f32: its rounding hides wrong gradients; compute in f64");
  if (!identical(output.value(), f(leaves).value()))
    return conclude(Verdict::fail,
                    "the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) return conclude(Verdict::vacuous, "the result depends on no f64 input");

  Generator generator(options.seed);
  const Tensor cotangent = random_cotangent(output.shape(), generator);
  const Functions once = [&f](const std::vector<Variable>& in) { return std::vector<Variable>{f(in)}; };
  OrderCheck(1, options, report).run(once, values, {cotangent});
  if (options.order == 1 || !report.passed()) return report;

  std::vector<Tensor> second_cotangents;
  for (const Tensor& value : values)
    if (is_float(value.dtype())) second_cotangents.push_back(random_cotangent(value.shape(), generator));
  const std::size_t input_count = values.size();
  report.order = 2;
  values.push_back(cotangent);
  OrderCheck(2, options, report).run(gradient_function(f, input_count), values, second_cotangents);
  return report;
}

}  // namespace regard
