#include "tensor/recurrent/gru.h"

#include "tensor/create.h"
#include "tensor/ops/join.h"
#include "tensor/recurrent/gru_after_product.h"
#include "tensor/recurrent/gru_before_product.h"
#include "tensor/view.h"

namespace regard {

using recurrent::BackwardAfterProduct, recurrent::BackwardBeforeProduct, recurrent::ForwardAfterProduct,
    recurrent::ForwardBeforeProduct, recurrent::GruBackward, recurrent::GruForward, recurrent::Steps;

GruResult gru(const Tensor& p, const Tensor& initial, const Tensor& w, const Tensor& b, ResetGate reset,
              const SequenceOptions& options, bool keep_gates) {
  require_sequence("gru", 3, p, {&initial}, w, b, options);
  const Tensor projected = contiguous(p), weight = contiguous(w), bias = contiguous(b), start = contiguous(initial);
  const Steps steps(projected.shape(), weight.shape()[1], options);
  GruResult made{empty({steps.length + 1, steps.batch, steps.hidden}, p.dtype()),
                 empty({keep_gates ? steps.length : 1, steps.batch, 4 * steps.hidden}, p.dtype())};
  dispatch_float("gru", p.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::copy_n(start.data<T>(), start.numel(), made.states.writable<T>() + steps.first() * start.numel());
    const GruForward<T> cell(steps, projected, bias, made);
    if (reset == ResetGate::after_product)
      go_forward(steps, ForwardAfterProduct<T>(cell, weight));
    else
      go_forward(steps, ForwardBeforeProduct<T>(cell, weight));
  });
  return made;
}

SequenceGradients gru_gradients(const Tensor& gradient, const GruResult& made, const Tensor& w, ResetGate reset,
                                const SequenceOptions& options) {
  const Tensor g = contiguous(gradient), weight = contiguous(w);
  SequenceGradients to = recurrent::empty_gradients(made, reset);
  const Steps steps(to.projected.shape(), made.states.shape()[2], options);
  dispatch_float("gru", g.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const GruBackward<T> cell(steps, g, made, to);
    if (reset == ResetGate::after_product)
      go_backward(steps, BackwardAfterProduct<T>(cell, weight));
    else
      go_backward(steps, BackwardBeforeProduct<T>(cell, weight));
  });
  return to;
}

Tensor gru_weight_gradient(const GruResult& made, const Tensor& to_hidden, ResetGate reset,
                           const SequenceOptions& options) {
  const Tensor before = states_before(made.states, options);
  if (reset == ResetGate::after_product) return weight_gradient(to_hidden, before);
  const std::int64_t hidden = before.size(2);
  return cat({weight_gradient(slice(to_hidden, 2, 0, 2 * hidden), before),
              weight_gradient(slice(to_hidden, 2, 2 * hidden), slice(made.gates, 2, 2 * hidden, 3 * hidden))},
             0);
}

}  // namespace regard
