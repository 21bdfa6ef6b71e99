#include "tensor/recurrent/gru.h"

#include "tensor/create.h"
#include "tensor/recurrent/gru_cells.h"
#include "tensor/view.h"

namespace regard {

using recurrent::GruBackward, recurrent::GruForward, recurrent::Steps;

SequenceGradients recurrent::empty_gradients(const GruResult& made) {
  const Shape& states = made.states.shape();
  const Shape gates{states[0] - 1, states[1], 3 * states[2]};
  const DType dtype = made.states.dtype();
  return {empty(gates, dtype), empty(gates, dtype), zeros({states[1], states[2]}, dtype)};
}

GruResult gru(const Tensor& p, const Tensor& initial, const Tensor& w, const Tensor& b, const SequenceOptions& options,
              bool keep_gates) {
  require_sequence("gru", 3, p, {&initial}, w, b, options);
  const Tensor projected = contiguous(p), weight = contiguous(w), bias = contiguous(b), start = contiguous(initial);
  const Steps steps(projected.shape(), weight.shape()[1], options);
  GruResult made{empty({steps.length + 1, steps.batch, steps.hidden}, p.dtype()),
                 empty({keep_gates ? steps.length : 1, steps.batch, 4 * steps.hidden}, p.dtype())};
  dispatch_float("gru", p.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::copy_n(start.data<T>(), start.numel(), made.states.writable<T>() + steps.first() * start.numel());
    go_forward(steps, GruForward<T>(steps, weight, projected, bias, made));
  });
  return made;
}

SequenceGradients gru_gradients(const Tensor& gradient, const GruResult& made, const Tensor& w,
                                const SequenceOptions& options) {
  const Tensor g = contiguous(gradient), weight = contiguous(w);
  SequenceGradients to = recurrent::empty_gradients(made);
  const Steps steps(to.projected.shape(), made.states.shape()[2], options);
  dispatch_float("gru", g.dtype(),
                 [&](auto zero) { go_backward(steps, GruBackward<decltype(zero)>(steps, weight, g, made, to)); });
  return to;
}

}  // namespace regard
