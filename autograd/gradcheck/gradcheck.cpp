#include "autograd/gradcheck/gradcheck.h"

#include "autograd/ancestors.h"
#include "autograd/gradcheck/analytic.h"
#include "autograd/gradcheck/findings.h"
#include "tensor/compare.h"

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace regard {
namespace {

using namespace gradchecks;

// book: compare_all
// One order: the gradients of L, by the rules, against its slopes.
void compare_all(int order, const Weighted& l, const GradcheckOptions& options, GradcheckReport& report) {
  ByRules by_rules(l, options.layout);
  const std::vector<Tensor> at_x = results(l.f, l.inputs);
  Findings findings(order, l, options, report);
  for (std::size_t i = 0; i < l.inputs.size(); ++i) {  // each input …
    if (!is_float(l.inputs[i].dtype())) continue;
    for (std::int64_t n = 0; n < l.inputs[i].numel() && !findings.are_enough(); ++n)  // … and each element of it
      findings.note(compare({order, i, n}, by_rules, SlopeMeter(l, at_x, i, n, options.eps), options.tolerance));
    findings.conclude_input(i);
  }
  findings.conclude();
}
// book: /compare_all

// Does anything on the way to x hold f32 numbers? Their rounding would be taken for a kink or a wrong gradient.
bool passes_through_f32(const Variable& x) {
  bool found = false;
  graph::for_each_ancestor({x}, [&](const Variable& one) { return !(found = found || one.dtype() == DType::f32); });
  return found;
}

// A function that differentiates inside may refuse to be called: it needs gradients of its own.
bool may_learn_alone(const Weighted& l, std::size_t i) {
  std::vector<Variable> in(l.inputs.begin(), l.inputs.end());
  in[i] = parameter(l.inputs[i]);
  try {
    l.f(in);
  } catch (const Error&) {
    return false;
  }
  return true;
}

// What ends a check before its end, or nothing.
using Conclusion = std::optional<std::pair<Verdict, std::string>>;

// Can a slope be measured at these inputs?
Conclusion why_not_at(const std::vector<Tensor>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].dtype() == DType::f32)
      return {
          {Verdict::float32, "an input is f32: its rounding hides wrong gradients; convert it with to(x, DType::f64)"}};
    for (const double value : to_vector(inputs[i]))
      if (!std::isfinite(value))
        return {{Verdict::fail, fmt::format("input {} holds {}, where no slope can be measured", i, value)}};
  }
  return std::nullopt;
}

// Can it be measured of this function, which has just given this output?
Conclusion why_not_of(const Function& f, const std::vector<Variable>& leaves, const Variable& output) {
  if (passes_through_f32(output))
    return {{Verdict::float32, "the function computes in f32: its rounding hides wrong gradients; compute in f64"}};
  if (!identical(output.value(), f(leaves).value()))
    return {{Verdict::fail, "the function gives different results when called twice (give it a fixed Generator)"}};
  if (!output.requires_grad()) return {{Verdict::vacuous, "the result depends on no f64 input"}};
  return std::nullopt;
}

// A rule may ask which gradients are wanted. So each input in turn is the only one to want its own, and must get the
// same. Where one does not, this says so.
Conclusion why_not_alone(const Weighted& l, const GradcheckOptions& options) {
  const auto together = analytic_gradients(l, options.layout);
  for (std::size_t i = 0; i < l.inputs.size(); ++i) {
    if (!is_float(l.inputs[i].dtype()) || !may_learn_alone(l, i)) continue;
    Tensor alone;
    try {
      alone = analytic_gradients(l, options.layout, static_cast<int>(i))[i];
    } catch (const Error& error) {
      return {{Verdict::fail, fmt::format("{} gets no gradient when it is the only one to want one: {}",
                                          name_of(i, options), error.what())}};
    }
    if (!allclose(alone, together[i], 1e-12, 1e-14))
      return {{Verdict::fail,
               fmt::format("{} has another gradient when it is the only one to want one", name_of(i, options))}};
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
  report.named = !options.names.empty();
  std::vector<Tensor> values;
  for (const Variable& input : inputs) {
    report.shapes.push_back(input.shape());
    values.push_back(input.value());
  }
  const auto ends_with = [&](const Conclusion& conclusion) {
    if (conclusion) std::tie(report.verdict, report.reason) = *conclusion;
    return conclusion.has_value();
  };
  if (ends_with(why_not_at(values))) return report;
  const std::vector<Variable> leaves = leaves_of(values);
  const Variable output = f(leaves);
  if (ends_with(why_not_of(f, leaves, output))) return report;

  // L = Σ c·f
  Generator generator(options.seed);
  const Tensor c = random_cotangent(output.shape(), generator);
  const Weighted first{[&](const std::vector<Variable>& in) { return std::vector<Variable>{f(in)}; }, values, {c}};
  compare_all(1, first, options, report);
  if (!report.passed() || ends_with(why_not_alone(first, options)) || options.order == 1) return report;

  // The gradient of L as a function of the inputs and c
  Weighted second{gradient_function(f, values.size()), values, {}};
  second.inputs.push_back(c);
  for (const Tensor& value : values)
    if (is_float(value.dtype())) second.cotangents.push_back(random_cotangent(value.shape(), generator));
  report.order = 2;
  compare_all(2, second, options, report);
  return report;
}

}  // namespace regard
