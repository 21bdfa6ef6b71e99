#include "tensor/recurrent/lstm.h"

#include "tensor/create.h"
#include "tensor/math/math.h"
#include "tensor/recurrent/steps.h"
#include "tensor/view.h"

namespace regard {
namespace {

using recurrent::add_to, recurrent::for_gradients, recurrent::for_states, recurrent::PackedMatrix, recurrent::StepRows,
    recurrent::Steps;

// From the products of a row, which stand in the gates, to the gates and the next states.
template <class T>
void next_lstm_state(const T* __restrict p, const T* __restrict bias, const T* __restrict c, T* __restrict i,
                     T* __restrict f, T* __restrict g, T* __restrict o, T* __restrict next_h, T* __restrict next_c,
                     std::int64_t hidden) {
  for (std::int64_t j = 0; j < hidden; ++j) {
    const T input = math::sigmoid(p[j] + (i[j] + bias[j]));
    const T forget = math::sigmoid(p[hidden + j] + (f[j] + bias[hidden + j]));
    const T candidate = math::tanh(p[2 * hidden + j] + (g[j] + bias[2 * hidden + j]));
    const T output = math::sigmoid(p[3 * hidden + j] + (o[j] + bias[3 * hidden + j]));
    const T memory = forget * c[j] + input * candidate;
    i[j] = input;
    f[j] = forget;
    g[j] = candidate;
    o[j] = output;
    next_c[j] = memory;
    next_h[j] = output * math::tanh(memory);
  }
}

// dh and dc are the gradients of the next states. dc becomes that of the memory before; dh is used up, as what goes to
// the state before goes through the products. With m = tanh c′:
//   ∂ô = dh·m·o·(1 − o)      ∂c′ = dc + dh·o·(1 − m²)
//   ∂î = ∂c′·g·i·(1 − i)     ∂f̂ = ∂c′·c·f·(1 − f)     ∂ĝ = ∂c′·i·(1 − g²)     ∂c = ∂c′·f
template <class T>
void gradients_of_gates(const T* __restrict gates, const T* __restrict c, const T* __restrict next_c, T* __restrict dh,
                        T* __restrict dc, T* __restrict to, std::int64_t hidden) {
  const T *i = gates, *f = gates + hidden, *g = gates + 2 * hidden, *o = gates + 3 * hidden;
  for (std::int64_t j = 0; j < hidden; ++j) {
    const T memory = math::tanh(next_c[j]);
    const T to_memory = dc[j] + dh[j] * o[j] * (1 - memory * memory);
    to[j] = to_memory * g[j] * i[j] * (1 - i[j]);
    to[hidden + j] = to_memory * c[j] * f[j] * (1 - f[j]);
    to[2 * hidden + j] = to_memory * i[j] * (1 - g[j] * g[j]);
    to[3 * hidden + j] = dh[j] * memory * o[j] * (1 - o[j]);
    dc[j] = to_memory * f[j];
    dh[j] = 0;
  }
}

template <class T>
struct LstmForward {
  const Steps& steps;
  PackedMatrix<T> weight;
  StepRows<const T> projected;
  const T* bias;
  StepRows<T> h, c, gates;

  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    weight.multiply({h(steps.before(t), begin), end - begin, steps.hidden, steps.hidden, 1}, gates(t, begin),
                    gates.size);
  }
  void finish(std::int64_t t, std::int64_t i) const {
    const std::int64_t hidden = steps.hidden;
    T* const row = gates(t, i);
    next_lstm_state<T>(projected(t, i), bias, c(steps.before(t), i), row, row + hidden, row + 2 * hidden,
                       row + 3 * hidden, h(steps.after(t), i), c(steps.after(t), i), hidden);
  }
  void pass(std::int64_t t, std::int64_t i) const {
    for (const StepRows<T>& states : {h, c})
      std::copy_n(states(steps.before(t), i), steps.hidden, states(steps.after(t), i));
  }
};

template <class T>
struct LstmBackward {
  const Steps& steps;
  PackedMatrix<T> weight;
  StepRows<const T> arriving_h, arriving_c, c, gates;
  StepRows<T> to_hidden, to_h, to_c;

  void arrive(std::int64_t state, std::int64_t begin, std::int64_t end) const {
    add_to(to_h(0, begin), arriving_h(state, begin), (end - begin) * steps.hidden);
    add_to(to_c(0, begin), arriving_c(state, begin), (end - begin) * steps.hidden);
  }
  void start(std::int64_t t, std::int64_t i) const {
    gradients_of_gates(gates(t, i), c(steps.before(t), i), c(steps.after(t), i), to_h(0, i), to_c(0, i),
                       to_hidden(t, i), steps.hidden);
  }
  void pass(std::int64_t t, std::int64_t i) const { std::fill_n(to_hidden(t, i), to_hidden.size, T{0}); }
  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    weight.multiply({to_hidden(t, begin), end - begin, to_hidden.size, to_hidden.size, 1}, to_h(0, begin), steps.hidden,
                    true);
  }
};

}  // namespace

LstmResult lstm(const Tensor& p, const Tensor& initial_h, const Tensor& initial_c, const Tensor& w, const Tensor& b,
                const SequenceOptions& options, bool keep_gates) {
  require_sequence("lstm", 4, p, {&initial_h, &initial_c}, w, b, options);
  const Tensor projected = contiguous(p), weight = contiguous(w), bias = contiguous(b);
  const Tensor start_h = contiguous(initial_h), start_c = contiguous(initial_c);
  const Steps steps(projected.shape(), weight.shape()[1], options);
  LstmResult made{empty({2, steps.length + 1, steps.batch, steps.hidden}, p.dtype()),
                  empty({keep_gates ? steps.length : 1, steps.batch, 4 * steps.hidden}, p.dtype())};
  Tensor h = select(made.states, 0, 0), c = select(made.states, 0, 1);
  dispatch_float("lstm", p.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::copy_n(start_h.data<T>(), start_h.numel(), h.writable<T>() + steps.first() * start_h.numel());
    std::copy_n(start_c.data<T>(), start_c.numel(), c.writable<T>() + steps.first() * start_c.numel());
    go_forward(steps, LstmForward<T>{steps, for_states<T>(weight), projected, bias.data<T>(), h, c, made.gates});
  });
  return made;
}

SequenceGradients lstm_gradients(const Tensor& gradient, const LstmResult& made, const Tensor& w,
                                 const SequenceOptions& options) {
  const Tensor g = contiguous(gradient), weight = contiguous(w);
  const std::int64_t states = made.states.shape()[1], batch = made.states.shape()[2], hidden = made.states.shape()[3];
  SequenceGradients to{empty({states - 1, batch, 4 * hidden}, g.dtype()), {}, zeros({2, batch, hidden}, g.dtype())};
  const Steps steps(to.projected.shape(), hidden, options);
  Tensor to_h = select(to.initial, 0, 0), to_c = select(to.initial, 0, 1);
  dispatch_float("lstm", g.dtype(), [&](auto zero) {
    using T = decltype(zero);
    go_backward(steps, LstmBackward<T>{steps, for_gradients<T>(weight), select(g, 0, 0), select(g, 0, 1),
                                       select(made.states, 0, 1), made.gates, to.projected, to_h, to_c});
  });
  to.hidden = to.projected;
  return to;
}

}  // namespace regard
