#include "autograd/gradcheck/gradcheck.h"

#include "autograd/ancestors.h"
#include "autograd/gradcheck/analytic.h"
#include "autograd/gradcheck/cotangent.h"
#include "autograd/gradcheck/order_check.h"
#include "tensor/compare.h"
#include "tensor/create.h"

#include <cmath>
#include <optional>

namespace regard {
namespace {

using namespace gradchecks;

// Does anything on the way to x hold f32 numbers? Their rounding would be taken for a kink or a wrong gradient.
bool passes_through_f32(const Variable& x) {
  bool found = false;
  graph::for_each_ancestor({x},
                           [&](const Variable& one) { return found = found || one.dtype() == DType::f32, !found; });
  return found;
}

// A rule may ask which gradients are wanted. So each input in turn is the only one to want its own, and must get the
// same. A function that differentiates inside may refuse: it needs gradients of its own.
std::optional<std::size_t> input_that_differs_alone(const Weighted& l, Layout layout) {
  const auto together = analytic_gradients(l, layout);
  for (std::size_t i = 0; i < l.inputs.size(); ++i) {
    if (!is_float(l.inputs[i].dtype())) continue;
    Tensor alone;
    try {
      alone = analytic_gradients(l, layout, static_cast<int>(i))[i];
    } catch (const Error&) {
      continue;
    }
    if (!allclose(alone, together[i], 1e-12, 1e-14)) return i;
  }
  return std::nullopt;
}

// A check in steps, each of which may end it with a verdict.
class Check {
 public:
  Check(const Function& f, const std::vector<Variable>& inputs, const GradcheckOptions& options)
      : f_(f), options_(options), generator_(options.seed) {
    report_.order = 1;
    for (const Variable& input : inputs) {
      values_.push_back(input.value());
      report_.shapes.push_back(input.shape());
    }
  }

  GradcheckReport run() {
    look_at_inputs();
    if (report_.passed()) look_at_function();
    if (report_.passed()) first_order();
    if (report_.passed() && options_.order == 2) second_order();
    return report_;
  }

 private:
  void conclude(Verdict verdict, std::string reason) {
    report_.verdict = verdict;
    report_.reason = std::move(reason);
  }

  void look_at_inputs() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].dtype() == DType::f32)
        return conclude(Verdict::float32,
                        "an input is f32: its rounding hides wrong gradients; convert it with to(x, DType::f64)");
      for (const double value : to_vector(values_[i]))
        if (!std::isfinite(value))
          return conclude(Verdict::fail, fmt::format("input {} holds {}, where no slope can be measured", i, value));
    }
  }

  void look_at_function() {
    std::vector<Variable> leaves;
    for (const Tensor& value : values_) leaves.push_back(is_float(value.dtype()) ? parameter(value) : Variable(value));
    const Variable output = f_(leaves);
    if (passes_through_f32(output))
      return conclude(Verdict::float32,
                      "the function computes in f32: its rounding hides wrong gradients; compute in f64");
    if (!identical(output.value(), f_(leaves).value()))
      return conclude(Verdict::fail,
                      "the function gives different results when called twice (give it a fixed Generator)");
    if (!output.requires_grad()) return conclude(Verdict::vacuous, "the result depends on no f64 input");
    cotangent_ = random_cotangent(output.shape(), generator_);
  }

  void first_order() {
    const Weighted l{
        [this](const std::vector<Variable>& in) { return std::vector<Variable>{f_(in)}; }, values_, {cotangent_}};
    check_order(1, l, options_, report_);
    if (!report_.passed()) return;
    if (const auto i = input_that_differs_alone(l, options_.layout))
      conclude(Verdict::fail,
               fmt::format("{} has another gradient when it is the only one to want one", name_of(*i, options_)));
  }

  void second_order() {
    Weighted l{gradient_function(f_, values_.size()), values_, {}};
    for (const Tensor& value : values_)
      if (is_float(value.dtype())) l.cotangents.push_back(random_cotangent(value.shape(), generator_));
    l.inputs.push_back(cotangent_);
    report_.order = 2;
    check_order(2, l, options_, report_);
  }

  const Function& f_;
  const GradcheckOptions& options_;
  Generator generator_;
  GradcheckReport report_;
  std::vector<Tensor> values_;
  Tensor cotangent_;
};

}  // namespace

GradcheckReport gradcheck(const Function& f, const std::vector<Variable>& inputs, const GradcheckOptions& options) {
  if (options.order != 1 && options.order != 2)
    fail<ValueError>("gradcheck: order {} is neither 1 nor 2", options.order);
  const SetRecording always(true);
  return Check(f, inputs, options).run();
}

}  // namespace regard
