#include "autograd/fused/bias_activation.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/twin.h"
#include "tensor/ops/reduce.h"

namespace regard {

Variable bias_activation_composed(const Variable& x, const Variable& bias, ActivationKind activation) {
  const Variable sum = x + bias;
  switch (activation) {
    case ActivationKind::relu: return relu(sum);
    case ActivationKind::gelu: return gelu(sum, GeluForm::erf);
    case ActivationKind::gelu_tanh: return gelu(sum, GeluForm::tanh);
    case ActivationKind::silu: return silu(sum);
    case ActivationKind::tanh: return tanh(sum);
    case ActivationKind::sigmoid: break;
  }
  return sigmoid(sum);
}

// y = f(x + b):  ∂x = g·f′(x + b), and ∂b the same, summed over what the bias was repeated along.
Variable bias_activation(const Variable& x, const Variable& bias, ActivationKind activation) {
  return record(op("bias_activation"), {x, bias}, bias_activation(x.value(), bias.value(), activation),
                with_twin([=](const graph::Inputs& in) { return bias_activation_composed(in[0], in[1], activation); },
                          [=](const Variable& grad, const Saved& saved) {
                            const Tensor &values = saved.inputs[0].value(), &added = saved.inputs[1].value();
                            const Tensor to_x = bias_activation_gradient(grad.value(), values, added, activation);
                            return gradients(to_x, sum_to(to_x, added.shape()));
                          }));
}

}  // namespace regard
