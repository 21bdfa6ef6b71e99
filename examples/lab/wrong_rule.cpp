// Catch the wrong gradient: a loss of three operations, of whose rules one may be wrong, and a slope between two points
// that is measured with steps of any size.
#include "examples/lab/functions.h"
#include "nn/all.h"

#include <cmath>

namespace regard::lab {
namespace {

enum class Mistake { none, forgot_sum, sign, factor, forgot_output, not_transposed };

constexpr OpInfo turn_info{"turn", "x·W", "∂x = g·Wᵀ"};
constexpr OpInfo share_info{"share", "e^x / Σe^x", "∂x = y·(g − Σg·y)"};
constexpr OpInfo surprise_info{"surprise", "−log x₁", "∂x = −g/x₁ at the first place"};

const Tensor& matrix() {
  static const Tensor w = tensor({{0.7, -0.4, 0.2}, {0.1, 0.9, -0.6}, {-0.3, 0.5, 0.8}}, DType::f64);
  return w;
}

Variable turn(const Variable& x, Mistake mistake) {
  const Tensor back = mistake == Mistake::not_transposed ? matrix() : contiguous(transpose(matrix(), 0, 1));
  return record(turn_info, {x}, matmul(x.value(), matrix()),
                [back](const Variable& grad, const Saved&) { return gradients(matmul(grad, Variable(back))); });
}

Variable share(const Variable& x, Mistake mistake) {
  return record(share_info, {x}, softmax(x.value(), -1), [mistake](const Variable& grad, const Saved& saved) {
    const Variable& y = saved.output;
    const Variable whole = sum(grad * y, -1, KeepDim::yes);
    switch (mistake) {
      case Mistake::forgot_sum: return gradients(grad * y);
      case Mistake::sign: return gradients(y * (grad + whole));
      case Mistake::factor: return gradients(1.00001 * (y * (grad - whole)));
      case Mistake::forgot_output: return gradients(grad - whole);
      default: return gradients(y * (grad - whole));
    }
  });
}

Variable surprise(const Variable& x) {
  return record(surprise_info, {x}, -log(select(x.value(), 1, 0)), [](const Variable& grad, const Saved& saved) {
    const Tensor first = tensor({{1, 0, 0}}, DType::f64);
    return gradients(-(unsqueeze(grad, 1) / slice(saved.input(), 1, 0, 1)) * first);
  });
}

Variable loss(const Variable& x, Mistake mistake) { return sum(surprise(share(turn(x, mistake), mistake))); }

Variable start(double first = 0.6) { return parameter(tensor({{first, -0.8, 0.3}}, DType::f64)); }

double error_of(double measured, double slope) {
  return std::abs(measured - slope) / std::max(std::abs(slope), 1e-300);
}

}  // namespace
}  // namespace regard::lab

using namespace regard;
using lab::Answer, lab::answer, lab::Mistake;

// For a step h of the first number of x: f(x + h), f(x − h), the measured slope, the slope by the rules, and their
// relative difference; then that difference for h = 10^−1, 10^−1.25 … 10^−14.
LAB int wrong_rule(int mistake, double h) {
  return answer([&](Answer& out) {
    const auto wrong = static_cast<Mistake>(mistake);
    const auto f = [&](double step) { return lab::loss(lab::start(0.6 + step), wrong).item(); };
    const Variable x = lab::start();
    const double slope = select(squeeze(grad({lab::loss(x, wrong)}, {x})[0].value(), 0), 0, 0).item();
    const auto measured = [&](double step) { return (f(step) - f(-step)) / (2 * step); };
    for (const double one : {f(h), f(-h), measured(h), slope, lab::error_of(measured(h), slope)}) out.add(one);
    for (int n = 0; n <= 52; ++n) out.add(lab::error_of(measured(std::pow(10, -1 - n / 4.0)), slope));
  });
}

// What gradcheck says of the whole, and of each of the three rules by itself: 1 for PASS. The text has their reports.
LAB int wrong_rule_verdicts(int mistake) {
  return answer([&](Answer& out) {
    const auto wrong = static_cast<Mistake>(mistake);
    using Function = gradchecks::Function;
    const std::vector<Function> all{[&](const auto& in) { return lab::loss(in[0], wrong); },
                                    [&](const auto& in) { return lab::turn(in[0], wrong); },
                                    [&](const auto& in) { return lab::share(in[0], wrong); },
                                    [&](const auto& in) { return lab::surprise(in[0]); }};
    for (const Function& one : all) {
      const Variable x = &one == &all.back() ? parameter(tensor({{0.5, 0.2, 0.3}}, DType::f64)) : lab::start();
      const GradcheckReport report = gradcheck(one, {x}, {.order = 1});
      out.add(report.passed());
      out.text += to_string(report) + "\n";
    }
  });
}
