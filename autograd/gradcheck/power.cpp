#include "autograd/gradcheck/gradcheck.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/record.h"

namespace regard {
namespace {

constexpr OpInfo tampering{"tampering", "x", "∂x = wrong·g"};

// y = x, with a gradient that is wrong by a factor: at once (order 1), or right in value but with a wrong gradient of
// its own (order 2).
Variable tamper(const Variable& x, double factor, int order) {
  return record(tampering, {x}, x.value(), [factor, order](const Variable& grad, const Saved&) {
    return gradients(order == 1 ? factor * grad : tamper(grad, factor, 1));
  });
}

}  // namespace

std::vector<std::string> power_check(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                                     const GradcheckOptions& options) {
  std::vector<std::string> unnoticed;
  for (int order = 1; order <= options.order; ++order)
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].dtype() != DType::f64) continue;
      for (const double factor : {0.0, 1.01}) {
        const gradchecks::Function wrong = [&](const std::vector<Variable>& in) {
          std::vector<Variable> tampered = in;
          tampered[i] = tamper(in[i], factor, order);
          return f(tampered);
        };
        GradcheckOptions same_order = options;
        same_order.order = order;
        same_order.stop_at_failure = true;
        if (gradcheck(wrong, inputs, same_order).verdict != gradchecks::Verdict::fail)
          unnoticed.push_back(fmt::format("input {}: a gradient of order {} multiplied by {}", i, order, factor));
      }
    }
  return unnoticed;
}

}  // namespace regard
