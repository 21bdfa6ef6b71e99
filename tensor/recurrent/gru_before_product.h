#pragma once

#include "tensor/math/math.h"
#include "tensor/recurrent/gru_cells.h"

// The GRU whose reset gate comes before the product, W_n·(r ⊙ h) + b_n: a step has two products, one after the other.
namespace regard::recurrent {

// From the first products of a row, which stand in r and z, to these gates and u = r ⊙ h.
template <class T>
void gates_before_product(const T* __restrict p, const T* __restrict bias, const T* __restrict h, T* __restrict r,
                          T* __restrict z, T* __restrict u, std::int64_t hidden) {
  for (std::int64_t j = 0; j < hidden; ++j) {
    const T reset = math::sigmoid(p[j] + (r[j] + bias[j]));
    r[j] = reset;
    z[j] = math::sigmoid(p[hidden + j] + (z[j] + bias[hidden + j]));
    u[j] = reset * h[j];
  }
}
// From the second, W_n·u, which stands in n, to the next state.
template <class T>
void step_before_product(const T* __restrict p, const T* __restrict bias, const T* __restrict h, const T* __restrict z,
                         T* __restrict n, T* __restrict next, std::int64_t hidden) {
  for (std::int64_t j = 0; j < hidden; ++j) {
    const T candidate = math::tanh(p[2 * hidden + j] + (n[j] + bias[2 * hidden + j]));
    n[j] = candidate;
    next[j] = candidate + z[j] * (h[j] - candidate);
  }
}

// d is the gradient of the next state, and becomes what of it goes to the state before, past the product of r and z.
//   ∂n̂ = d·(1 − z)·(1 − n²)      ∂ẑ = d·(h − n)·z·(1 − z)      ∂u = ∂n̂·W_n      ∂r̂ = ∂u·h·r·(1 − r)
template <class T>
void candidate_gradients(const T* __restrict h, const T* __restrict z, const T* __restrict n, T* __restrict d,
                         T* __restrict to_gates, std::int64_t hidden) {
  for (std::int64_t j = 0; j < hidden; ++j) {
    to_gates[2 * hidden + j] = d[j] * (1 - z[j]) * (1 - n[j] * n[j]);
    to_gates[hidden + j] = d[j] * (h[j] - n[j]) * z[j] * (1 - z[j]);
    d[j] *= z[j];
  }
}
template <class T>
void reset_gradients(const T* __restrict h, const T* __restrict r, const T* __restrict to_u, T* __restrict d,
                     T* __restrict to_reset, std::int64_t hidden) {
  for (std::int64_t j = 0; j < hidden; ++j) {
    to_reset[j] = to_u[j] * h[j] * r[j] * (1 - r[j]);
    d[j] += to_u[j] * r[j];
  }
}

template <class T>
struct ForwardBeforeProduct : GruForward<T> {
  const PackedMatrix<T> weight, candidate_weight;

  ForwardBeforeProduct(const GruForward<T>& on, const Tensor& w)
      : GruForward<T>(on),
        weight(for_states<T>(w, 0, 2 * on.steps.hidden)),
        candidate_weight(for_states<T>(w, 2 * on.steps.hidden, 3 * on.steps.hidden)) {}

  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    const std::int64_t hidden = this->steps.hidden, step = this->gates.size;
    weight.multiply(this->matrix_before(t, begin, end), this->gates(t, begin), step);
    for (std::int64_t i = begin; i < end; ++i) {
      T* const row = this->gates(t, i);
      gates_before_product(this->projected(t, i), this->bias, this->before(t, i), row, row + hidden, row + 2 * hidden,
                           hidden);
    }
    candidate_weight.multiply({this->gates(t, begin) + 2 * hidden, end - begin, hidden, step, 1},
                              this->gates(t, begin) + 3 * hidden, step);
  }
  void finish(std::int64_t t, std::int64_t i) const {
    const std::int64_t hidden = this->steps.hidden;
    T* const row = this->gates(t, i);
    step_before_product(this->projected(t, i), this->bias, this->before(t, i), row + hidden, row + 3 * hidden,
                        this->after(t, i), hidden);
  }
};

template <class T>
struct BackwardBeforeProduct : GruBackward<T> {
  const PackedMatrix<T> weight, candidate_weight;
  Tensor memory;  // of the next
  const StepRows<T> to_u;

  BackwardBeforeProduct(const GruBackward<T>& on, const Tensor& w)
      : GruBackward<T>(on),
        weight(for_gradients<T>(w, 0, 2 * on.steps.hidden)),
        candidate_weight(for_gradients<T>(w, 2 * on.steps.hidden, 3 * on.steps.hidden)),
        memory(empty({1, on.steps.batch, on.steps.hidden}, w.dtype())),
        to_u(memory) {}

  void start(std::int64_t t, std::int64_t i) const {
    const std::int64_t hidden = this->steps.hidden;
    const T* row = this->gates(t, i);
    candidate_gradients(this->before(t, i), row + hidden, row + 3 * hidden, this->to_state(0, i), this->to_hidden(t, i),
                        hidden);
  }
  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    const std::int64_t hidden = this->steps.hidden, step = this->to_hidden.size, rows = end - begin;
    candidate_weight.multiply({this->to_hidden(t, begin) + 2 * hidden, rows, hidden, step, 1}, to_u(0, begin), hidden);
    for (std::int64_t i = begin; i < end; ++i)
      reset_gradients(this->before(t, i), this->gates(t, i), to_u(0, i), this->to_state(0, i), this->to_hidden(t, i),
                      hidden);
    weight.multiply({this->to_hidden(t, begin), rows, 2 * hidden, step, 1}, this->to_state(0, begin), hidden, true);
  }
};

}  // namespace regard::recurrent
