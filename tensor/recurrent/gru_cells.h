#pragma once

#include "tensor/math/math.h"
#include "tensor/recurrent/gru.h"
#include "tensor/recurrent/steps.h"

namespace regard::recurrent {

// From the products of a row, which stand in r, z and u, to the gates and the next state.
template <class T>
void next_gru_state(const T* __restrict p, const T* __restrict bias, const T* __restrict h, T* __restrict r,
                    T* __restrict z, T* __restrict u, T* __restrict n, T* __restrict next, std::int64_t hidden) {
  for (std::int64_t j = 0; j < hidden; ++j) {
    const T reset = math::sigmoid(p[j] + (r[j] + bias[j]));
    const T update = math::sigmoid(p[hidden + j] + (z[j] + bias[hidden + j]));
    const T product = u[j] + bias[2 * hidden + j];
    const T candidate = math::tanh(p[2 * hidden + j] + reset * product);
    r[j] = reset;
    z[j] = update;
    u[j] = product;
    n[j] = candidate;
    next[j] = candidate + update * (h[j] - candidate);
  }
}

// d is the gradient of the next state, and becomes what of it goes to the state before directly, past the products.
//   ∂n̂ = d·(1 − z)·(1 − n²)      ∂ẑ = d·(h − n)·z·(1 − z)      ∂u = ∂n̂·r      ∂r̂ = ∂n̂·u·r·(1 − r)
template <class T>
void gradients_of_gru(const T* __restrict h, const T* __restrict gates, T* __restrict d, T* __restrict to_projected,
                      T* __restrict to_hidden, std::int64_t hidden) {
  const T *r = gates, *z = gates + hidden, *u = gates + 2 * hidden, *n = gates + 3 * hidden;
  for (std::int64_t j = 0; j < hidden; ++j) {
    const T to_candidate = d[j] * (1 - z[j]) * (1 - n[j] * n[j]);
    to_projected[j] = to_candidate * u[j] * r[j] * (1 - r[j]);
    to_projected[hidden + j] = d[j] * (h[j] - n[j]) * z[j] * (1 - z[j]);
    to_projected[2 * hidden + j] = to_candidate;
    to_hidden[2 * hidden + j] = to_candidate * r[j];
    d[j] *= z[j];
  }
  std::copy_n(to_projected, 2 * hidden, to_hidden);
}

// Going forward. made.states holds the initial state.
template <class T>
struct GruForward {
  const Steps& steps;
  PackedMatrix<T> weight;
  StepRows<const T> projected;
  const T* bias;
  StepRows<T> states, gates;

  GruForward(const Steps& s, const Tensor& w, const Tensor& p, const Tensor& b, GruResult& made)
      : steps(s), weight(for_states<T>(w)), projected(p), bias(b.data<T>()), states(made.states), gates(made.gates) {}

  Matrix<T> before(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    return {states(steps.before(t), begin), end - begin, steps.hidden, steps.hidden, 1};
  }

  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    weight.multiply(before(t, begin, end), gates(t, begin), gates.size);
  }
  void finish(std::int64_t t, std::int64_t i) const {
    const std::int64_t hidden = steps.hidden;
    T* const row = gates(t, i);
    next_gru_state<T>(projected(t, i), bias, states(steps.before(t), i), row, row + hidden, row + 2 * hidden,
                      row + 3 * hidden, states(steps.after(t), i), hidden);
  }
  // What is kept of a padded step will be multiplied with a gradient of 0, so it must be a number.
  void pass(std::int64_t t, std::int64_t i) const {
    std::copy_n(states(steps.before(t), i), steps.hidden, states(steps.after(t), i));
    std::fill_n(gates(t, i), gates.size, T{0});
  }
};

// And going backward. The gradient of the state is kept where that of the initial state will be in the end; it begins
// with zeros.
template <class T>
struct GruBackward {
  const Steps& steps;
  PackedMatrix<T> weight;
  StepRows<const T> arriving, states, gates;
  StepRows<T> to_projected, to_hidden, to_state;

  GruBackward(const Steps& s, const Tensor& w, const Tensor& g, const GruResult& made, SequenceGradients& to)
      : steps(s),
        weight(for_gradients<T>(w)),
        arriving(g),
        states(made.states),
        gates(made.gates),
        to_projected(to.projected),
        to_hidden(to.hidden),
        to_state(to.initial) {}

  void arrive(std::int64_t state, std::int64_t begin, std::int64_t end) const {
    add_to(to_state(0, begin), arriving(state, begin), (end - begin) * steps.hidden);
  }
  void start(std::int64_t t, std::int64_t i) const {
    gradients_of_gru<T>(states(steps.before(t), i), gates(t, i), to_state(0, i), to_projected(t, i), to_hidden(t, i),
                        steps.hidden);
  }
  void pass(std::int64_t t, std::int64_t i) const {
    std::fill_n(to_projected(t, i), to_projected.size, T{0});
    std::fill_n(to_hidden(t, i), to_hidden.size, T{0});
  }
  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    const std::int64_t size = to_hidden.size;
    weight.multiply({to_hidden(t, begin), end - begin, size, size, 1}, to_state(0, begin), steps.hidden, true);
  }
};

// Room for the gradients of a GRU, and zeros for that of the initial state.
SequenceGradients empty_gradients(const GruResult& made);

}  // namespace regard::recurrent
