#include "nn/optim/clip.h"

#include "autograd/elements.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

#include <cmath>

namespace regard::optim {
namespace {

void require_limit(const char* operation, double limit) {
  if (!(limit > 0)) fail<ValueError>("{}: the limit {} is not above 0", operation, limit);
}

template <class F>
void change_gradients(const std::vector<Variable>& parameters, const F& changed) {
  for (Variable parameter : parameters)
    if (parameter.gradient().defined()) set_gradient(parameter, changed(parameter.gradient().value()));
}

}  // namespace

double clip_norm(const std::vector<Variable>& parameters, double limit) {
  require_limit("clip_norm", limit);
  double squares = 0;
  for (const Variable& parameter : parameters)
    if (parameter.gradient().defined()) squares += sum_of_squares(parameter.gradient().value());
  const double norm = std::sqrt(squares);
  if (norm > limit && std::isfinite(norm))
    change_gradients(parameters, [&](const Tensor& gradient) { return gradient * (limit / norm); });
  return norm;
}

void clip_value(const std::vector<Variable>& parameters, double limit) {
  require_limit("clip_value", limit);
  change_gradients(parameters, [&](const Tensor& gradient) { return clamp(gradient, -limit, limit); });
}

}  // namespace regard::optim
