#pragma once

#include "tensor/create.h"
#include "tensor/recurrent/gru.h"
#include "tensor/recurrent/steps.h"

namespace regard::recurrent {

// What both kinds of GRU work on, going forward. made.states holds the initial state.
template <class T>
struct GruForward {
  const Steps& steps;
  StepRows<const T> projected;
  const T* bias;
  StepRows<T> states, gates;

  GruForward(const Steps& s, const Tensor& p, const Tensor& b, GruResult& made)
      : steps(s), projected(p), bias(b.data<T>()), states(made.states), gates(made.gates) {}

  const T* before(std::int64_t t, std::int64_t i) const { return states(steps.before(t), i); }
  T* after(std::int64_t t, std::int64_t i) const { return states(steps.after(t), i); }
  Matrix<T> matrix_before(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    return {before(t, begin), end - begin, steps.hidden, steps.hidden, 1};
  }

  // What is kept of a padded step will be multiplied with a gradient of 0, so it must be a number.
  void pass(std::int64_t t, std::int64_t i) const {
    std::copy_n(before(t, i), steps.hidden, after(t, i));
    std::fill_n(gates(t, i), gates.size, T{0});
  }
};

// And going backward. The gradient of the state is kept where that of the initial state will be in the end; it begins
// with zeros.
template <class T>
struct GruBackward {
  const Steps& steps;
  StepRows<const T> arriving, states, gates;
  StepRows<T> to_projected, to_hidden, to_state;

  GruBackward(const Steps& s, const Tensor& g, const GruResult& made, SequenceGradients& to)
      : steps(s),
        arriving(g),
        states(made.states),
        gates(made.gates),
        to_projected(to.projected),
        to_hidden(to.hidden),
        to_state(to.initial) {}

  const T* before(std::int64_t t, std::int64_t i) const { return states(steps.before(t), i); }

  void arrive(std::int64_t state, std::int64_t begin, std::int64_t end) const {
    add_to(to_state(0, begin), arriving(state, begin), (end - begin) * steps.hidden);
  }
  void pass(std::int64_t t, std::int64_t i) const {
    std::fill_n(to_projected(t, i), to_projected.size, T{0});
    std::fill_n(to_hidden(t, i), to_hidden.size, T{0});
  }
};

// Room for the gradients of a GRU, and zeros for that of the initial state. Where the reset gate comes before the
// product, all of p and a is added alike, and has one gradient.
inline SequenceGradients empty_gradients(const GruResult& made, ResetGate reset) {
  const Shape& states = made.states.shape();
  const Shape gates{states[0] - 1, states[1], 3 * states[2]};
  const DType dtype = made.states.dtype();
  SequenceGradients to{empty(gates, dtype), {}, zeros({states[1], states[2]}, dtype)};
  to.hidden = reset == ResetGate::after_product ? empty(gates, dtype) : to.projected;
  return to;
}

}  // namespace regard::recurrent
