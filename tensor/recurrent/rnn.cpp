#include "tensor/recurrent/rnn.h"

#include "tensor/create.h"
#include "tensor/math/math.h"
#include "tensor/recurrent/steps.h"

namespace regard {
namespace {

using recurrent::add_to, recurrent::for_gradients, recurrent::for_states, recurrent::PackedMatrix, recurrent::StepRows,
    recurrent::Steps;

// Each activation, and what becomes of a gradient d on its way back through y = f(x): d times the slope.
struct Tanh {
  template <class T>
  static T value(T x) {
    return math::tanh(x);
  }
  template <class T>
  static T gradient(T d, T y) {
    return d * (1 - y * y);
  }
};
struct Relu {
  template <class T>
  static T value(T x) {
    return x < 0 ? 0 : x;
  }
  template <class T>
  static T gradient(T d, T y) {
    return y > 0 ? d : 0;
  }
};

template <class A, class T>
void next_rnn_state(const T* __restrict p, const T* __restrict bias, T* __restrict h, std::int64_t hidden) {
  for (std::int64_t j = 0; j < hidden; ++j) h[j] = A::value(p[j] + (h[j] + bias[j]));
}
template <class A, class T>
void gradient_of_sum(const T* __restrict y, T* __restrict d, T* __restrict to, std::int64_t hidden) {
  for (std::int64_t j = 0; j < hidden; ++j) {
    to[j] = A::gradient(d[j], y[j]);
    d[j] = 0;
  }
}

template <class A, class T>
struct RnnForward {
  const Steps& steps;
  PackedMatrix<T> weight;
  StepRows<const T> projected;
  const T* bias;
  StepRows<T> states;

  const T* before(std::int64_t t, std::int64_t i) const { return states(steps.before(t), i); }
  T* after(std::int64_t t, std::int64_t i) const { return states(steps.after(t), i); }

  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    weight.multiply({before(t, begin), end - begin, steps.hidden, steps.hidden, 1}, after(t, begin), steps.hidden);
  }
  void finish(std::int64_t t, std::int64_t i) const {
    next_rnn_state<A>(projected(t, i), bias, after(t, i), steps.hidden);
  }
  void pass(std::int64_t t, std::int64_t i) const { std::copy_n(before(t, i), steps.hidden, after(t, i)); }
};

template <class A, class T>
struct RnnBackward {
  const Steps& steps;
  PackedMatrix<T> weight;
  StepRows<const T> arriving, states;
  StepRows<T> to_hidden, to_state;

  void arrive(std::int64_t state, std::int64_t begin, std::int64_t end) const {
    add_to(to_state(0, begin), arriving(state, begin), (end - begin) * steps.hidden);
  }
  void start(std::int64_t t, std::int64_t i) const {
    gradient_of_sum<A>(states(steps.after(t), i), to_state(0, i), to_hidden(t, i), steps.hidden);
  }
  void pass(std::int64_t t, std::int64_t i) const { std::fill_n(to_hidden(t, i), steps.hidden, T{0}); }
  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    weight.multiply({to_hidden(t, begin), end - begin, steps.hidden, steps.hidden, 1}, to_state(0, begin), steps.hidden,
                    true);
  }
};

// Calls body(T{}, A{}) with the type of the numbers and the struct of the activation.
template <class Body>
void with(DType dtype, RnnActivation activation, const Body& body) {
  dispatch_float("rnn", dtype,
                 [&](auto zero) { activation == RnnActivation::tanh ? body(zero, Tanh{}) : body(zero, Relu{}); });
}

}  // namespace

Tensor rnn(const Tensor& p, const Tensor& initial, const Tensor& w, const Tensor& b, RnnActivation activation,
           const SequenceOptions& options) {
  require_sequence("rnn", 1, p, {&initial}, w, b, options);
  const Tensor projected = contiguous(p), weight = contiguous(w), bias = contiguous(b), start = contiguous(initial);
  const Steps steps(projected.shape(), weight.shape()[1], options);
  Tensor states = empty({steps.length + 1, steps.batch, steps.hidden}, p.dtype());
  with(p.dtype(), activation, [&]<class T, class A>(T, A) {
    std::copy_n(start.data<T>(), start.numel(), states.writable<T>() + steps.first() * start.numel());
    go_forward(steps, RnnForward<A, T>{steps, for_states<T>(weight), projected, bias.data<T>(), states});
  });
  return states;
}

SequenceGradients rnn_gradients(const Tensor& gradient, const Tensor& states, const Tensor& w, RnnActivation activation,
                                const SequenceOptions& options) {
  const Tensor g = contiguous(gradient), weight = contiguous(w);
  const std::int64_t batch = states.shape()[1], hidden = states.shape()[2];
  const Shape steps_shape{states.shape()[0] - 1, batch, hidden};
  SequenceGradients to{empty(steps_shape, g.dtype()), {}, zeros({batch, hidden}, g.dtype())};
  const Steps steps(steps_shape, hidden, options);
  with(g.dtype(), activation, [&]<class T, class A>(T, A) {
    go_backward(steps, RnnBackward<A, T>{steps, for_gradients<T>(weight), g, states, to.projected, to.initial});
  });
  to.hidden = to.projected;
  return to;
}

}  // namespace regard
