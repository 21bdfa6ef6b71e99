#include "autograd/gradcheck/gradcheck.h"

#include "autograd/backward.h"
#include "autograd/gradcheck/slopes.h"
#include "autograd/record.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/join.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace regard {
namespace {

using namespace gradchecks;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nothing = 1e-12;  // a gradient below this, or below its rounding, on both sides counts as none

// The same values, seen through strides that skip: every second element of a buffer with NaN in between.
Tensor lay_out(const Tensor& x, Layout layout) {
  if (layout == Layout::contiguous || x.rank() == 0 || !is_float(x.dtype())) return x;
  const Tensor values = flatten(x), gaps = full(values.shape(), std::nan(""), x.dtype());
  Shape doubled = x.shape();
  doubled[doubled.rank() - 1] *= 2;
  return slice(reshape(stack({values, gaps}, -1), doubled), -1, 0, to_end, 2);
}

// Numbers of both signs that are not small: an error in any output shows.
Tensor random_cotangent(const Shape& shape, Generator& generator) {
  const Tensor u = uniform(shape, generator, -1, 1, DType::f64);
  std::vector<double> values = to_vector(u);
  for (double& value : values) value += value < 0 ? -0.5 : 0.5;
  return tensor(values, shape, DType::f64);
}

// The gradients of Σ c·f for all real inputs, by the rules. `wanted` is the only input to require one, or −1 for all.
std::vector<Tensor> analytic_gradients(const Functions& f, const std::vector<Tensor>& inputs,
                                       const std::vector<Tensor>& cotangents, Layout layout, int wanted = -1) {
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

// One order: analytic against numeric gradient of Σ c·f for every element of every f64 input.
class OrderCheck {
 public:
  OrderCheck(int order, const GradcheckOptions& options, GradcheckReport& report)
      : order_(order), options_(options), report_(report) {}

  void run(const Functions& f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& cotangents) {
    const std::vector<Tensor> analytic = analytic_gradients(f, inputs, cotangents, options_.layout);
    const SlopeMeter meter(f, inputs, cotangents, options_.eps);
    bool any_gradient = false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!is_float(inputs[i].dtype())) continue;
      const bool has_gradient = check_input(i, to_vector(analytic[i]), meter);
      any_gradient = any_gradient || has_gradient;
      if (order_ == 1 && !has_gradient) blame_vacuous(i, inputs[i].shape());
    }
    // At second order single inputs may well have none: a linear function has no curvature. But not all of them.
    if (order_ == 2 && !any_gradient) set(Verdict::vacuous, "all second derivatives are 0");
    const double& worst = order_ == 1 ? report_.worst : report_.worst_second;
    const CheckedElement& e = report_.worst_element;
    if (!(worst <= options_.tolerance) && failed_)
      set(Verdict::fail, fmt::format("order {}, input {} element {}: analytic {:.10g}, numeric {:.10g}", e.order,
                                     e.input, e.index, e.analytic, e.numeric));
  }

 private:
  // Returns whether any element has a gradient, on either side, that is more than rounding.
  bool check_input(std::size_t input, const std::vector<double>& analytic, const SlopeMeter& meter) {
    bool has_gradient = false;
    for (std::size_t i = 0; i < analytic.size(); ++i) {
      const Slopes slopes = meter.at(input, static_cast<std::int64_t>(i));
      CheckedElement e{order_, input, static_cast<std::int64_t>(i), analytic[i], slopes.central, slopes.noise, 0};
      const double size = std::max(std::abs(e.analytic), std::abs(e.numeric));
      has_gradient = has_gradient || !(size <= std::max(nothing, e.noise));
      e.error = std::abs(e.analytic - e.numeric) / std::max(size, std::max(nothing, e.noise) / options_.tolerance);
      if (!std::isfinite(e.error)) e.error = infinity;
      note(e, slopes);
    }
    return has_gradient;
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
    if (element.error > std::max(report_.worst, report_.worst_second)) report_.worst_element = element;
    worst = std::max(worst, element.error);
    failed_ = failed_ || (element.error > options_.tolerance && !slopes.kinked);
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
  bool failed_ = false;
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

// Does anything on the way to x hold f32 numbers? Their rounding would be taken for a kink or a wrong gradient.
bool passes_through_f32(const Variable& x) {
  std::set<std::uint64_t> seen;
  std::vector<Variable> waiting{x};
  while (!waiting.empty()) {
    const Variable next = std::move(waiting.back());
    waiting.pop_back();
    if (!seen.insert(next.order()).second) continue;
    if (next.dtype() == DType::f32) return true;
    if (next.node()) waiting.insert(waiting.end(), next.node()->inputs.begin(), next.node()->inputs.end());
  }
  return false;
}

// A rule may ask which gradients are wanted. So each input in turn is the only one to want its own, and must get the
// same.
std::optional<std::size_t> input_that_differs_alone(const Functions& f, const std::vector<Tensor>& inputs,
                                                    const Tensor& cotangent, Layout layout) {
  const auto together = analytic_gradients(f, inputs, {cotangent}, layout);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_float(inputs[i].dtype())) continue;
    const Tensor alone = analytic_gradients(f, inputs, {cotangent}, layout, static_cast<int>(i))[i];
    if (!allclose(alone, together[i], 1e-12, 1e-14)) return i;
  }
  return std::nullopt;
}

}  // namespace

GradcheckReport gradcheck(const Function& f, const std::vector<Variable>& inputs, const GradcheckOptions& options) {
  if (options.order != 1 && options.order != 2)
    fail<ValueError>("gradcheck: order {} is neither 1 nor 2", options.order);
  const SetRecording always(true);
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
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].dtype() == DType::f32)
      return conclude(Verdict::float32,
                      "an input is f32: its rounding hides wrong gradients; convert it with to(x, DType::f64)");
    for (const double value : to_vector(values[i]))
      if (!std::isfinite(value))
        return conclude(Verdict::fail, fmt::format("input {} holds {}, where no slope can be measured", i, value));
  }

  std::vector<Variable> leaves;
  for (const Tensor& value : values) leaves.push_back(is_float(value.dtype()) ? parameter(value) : Variable(value));
  const Variable output = f(leaves);
  if (passes_through_f32(output))
    return conclude(Verdict::float32,
                    "the function computes in f32: its rounding hides wrong gradients; compute in f64");
  if (!identical(output.value(), f(leaves).value()))
    return conclude(Verdict::fail,
                    "the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) return conclude(Verdict::vacuous, "the result depends on no f64 input");

  Generator generator(options.seed);
  const Tensor cotangent = random_cotangent(output.shape(), generator);
  const Functions once = [&f](const std::vector<Variable>& in) { return std::vector<Variable>{f(in)}; };
  OrderCheck(1, options, report).run(once, values, {cotangent});
  if (report.passed())
    if (const auto i = input_that_differs_alone(once, values, cotangent, options.layout))
      return conclude(Verdict::fail,
                      fmt::format("input {} has another gradient when it is the only one to want one", *i));
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
