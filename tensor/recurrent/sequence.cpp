#include "tensor/recurrent/sequence.h"

#include "tensor/ops/matmul.h"
#include "tensor/recurrent/cells.h"
#include "tensor/view.h"

namespace regard {

using recurrent::Steps;

namespace {

// Calls body(C{}) with the struct of the cell.
template <class Body>
auto with(RecurrentCell cell, const Body& body) {
  switch (cell) {
    case RecurrentCell::rnn_tanh: return body(recurrent::Rnn<recurrent::Tanh>{});
    case RecurrentCell::rnn_relu: return body(recurrent::Rnn<recurrent::Relu>{});
    case RecurrentCell::gru: return body(recurrent::Gru{});
    case RecurrentCell::lstm: break;
  }
  return body(recurrent::Lstm{});
}

}  // namespace

void require_lengths(const char* operation, const Tensor& lengths, std::int64_t steps, std::int64_t batch) {
  require_indexes(operation, lengths);
  if (lengths.shape() != Shape{batch})
    fail<ShapeError>("{}: lengths {} for {} sequences: needs one for each, ({})", operation, lengths.shape(), batch,
                     batch);
  const std::vector<double> values = to_vector(lengths);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0 || values[i] > static_cast<double>(steps))
      fail<ValueError>("{}: sequence {} cannot have {} real steps: there are {}", operation, i, values[i], steps);
}

void require_sequence(const char* operation, std::int64_t gates, const SequenceInputs& in,
                      const SequenceOptions& options) {
  const Tensor &projected = in.projected, &weight = in.weight, &bias = in.bias;
  for (const Tensor& state : in.initial) require_same_dtype(operation, projected, state);
  require_same_dtype(operation, projected, weight);
  require_same_dtype(operation, projected, bias);
  const bool is_weight = weight.rank() == 2 && weight.shape()[0] == gates * weight.shape()[1];
  if (!is_weight || weight.shape()[1] == 0 || bias.shape() != Shape{weight.shape()[0]})
    fail<ShapeError>("{}: weight {} and bias {}: needs ({}H, H) and ({}H)", operation, weight.shape(), bias.shape(),
                     gates, gates);
  const std::int64_t hidden = weight.shape()[1];
  if (projected.rank() != 3 || projected.shape()[2] != gates * hidden)
    fail<ShapeError>("{}: projected {} for a weight {}: needs (L, B, {})", operation, projected.shape(), weight.shape(),
                     gates * hidden);
  const Shape state{projected.shape()[1], hidden};
  for (const Tensor& each : in.initial)
    if (each.shape() != state)
      fail<ShapeError>("{}: an initial state {} for projected {}: needs (B, H), {}", operation, each.shape(),
                       projected.shape(), state);
  if (options.lengths.defined()) require_lengths(operation, options.lengths, projected.shape()[0], state[0]);
}

void require_sequence(RecurrentCell cell, const SequenceInputs& in, const SequenceOptions& options) {
  with(cell, [&]<class C>(C) {
    if (in.initial.size() != C::states)
      fail<ShapeError>("{}: {} initial states: needs {}", C::name, in.initial.size(), C::states);
    require_sequence(C::name, C::gates, in, options);
  });
}

SequenceResult sequence(RecurrentCell cell, const SequenceInputs& in, const SequenceOptions& options, bool keep_gates) {
  require_sequence(cell, in, options);
  const Tensor projected = contiguous(in.projected), weight = contiguous(in.weight), bias = contiguous(in.bias);
  const Steps steps(projected.shape(), weight.shape()[1], options);
  const DType dtype = projected.dtype();
  SequenceResult made;
  with(cell, [&]<class C>(C) {
    const std::int64_t kept = keep_gates && C::keeps_gates ? steps.length : 1;
    made = {empty(recurrent::shape_of<C>({steps.length + 1, steps.batch, steps.hidden}), dtype),
            empty({kept, steps.batch, C::kept * steps.hidden}, dtype)};
    dispatch_float(C::name, dtype, [&]<class T>(T) {
      const recurrent::Forward<C, T> forward(steps, weight, projected, bias, made);
      for (std::size_t n = 0; n < C::states; ++n) {
        const Tensor initial = contiguous(in.initial[n]);
        std::copy_n(initial.data<T>(), initial.numel(), forward.states(steps.first(), 0)[n]);
      }
      go_forward(steps, forward);
    });
  });
  return made;
}

SequenceGradients sequence_gradients(RecurrentCell cell, const Tensor& gradient, const SequenceResult& made,
                                     const Tensor& w, const SequenceOptions& options) {
  const Tensor g = contiguous(gradient), weight = contiguous(w);
  SequenceGradients to;
  with(cell, [&]<class C>(C) {
    to = recurrent::room_for_gradients<C>(made.states);
    const Steps steps(to.projected.shape(), weight.shape()[1], options);
    dispatch_float(C::name, g.dtype(),
                   [&]<class T>(T) { go_backward(steps, recurrent::Backward<C, T>(steps, weight, g, made, to)); });
  });
  return to;
}

Tensor states_before(const Tensor& states, const SequenceOptions& options) {
  return options.reverse ? slice(states, 0, 1) : slice(states, 0, 0, -1);
}

Tensor weight_gradient(const Tensor& to_hidden, const Tensor& states) {
  return matmul(transpose(flatten(to_hidden, 0, 1)), flatten(states, 0, 1));
}

}  // namespace regard
