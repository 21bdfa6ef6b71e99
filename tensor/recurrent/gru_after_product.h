#pragma once

#include "tensor/math/math.h"
#include "tensor/recurrent/gru_cells.h"

// The GRU whose reset gate comes after the product, r ⊙ (W_n·h + b_n): all products of a step are one.
namespace regard::recurrent {

// From the products of a row, which stand in r, z and u, to the gates and the next state.
template <class T>
void step_after_product(const T* __restrict p, const T* __restrict bias, const T* __restrict h, T* __restrict r,
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
void gradients_after_product(const T* __restrict h, const T* __restrict gates, T* __restrict d,
                             T* __restrict to_projected, T* __restrict to_hidden, std::int64_t hidden) {
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

template <class T>
struct ForwardAfterProduct : GruForward<T> {
  const PackedMatrix<T> weight;

  ForwardAfterProduct(const GruForward<T>& on, const Tensor& w)
      : GruForward<T>(on), weight(for_states<T>(w, 0, 3 * on.steps.hidden)) {}

  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    weight.multiply(this->matrix_before(t, begin, end), this->gates(t, begin), this->gates.size);
  }
  void finish(std::int64_t t, std::int64_t i) const {
    const std::int64_t hidden = this->steps.hidden;
    T* const row = this->gates(t, i);
    step_after_product(this->projected(t, i), this->bias, this->before(t, i), row, row + hidden, row + 2 * hidden,
                       row + 3 * hidden, this->after(t, i), hidden);
  }
};

template <class T>
struct BackwardAfterProduct : GruBackward<T> {
  const PackedMatrix<T> weight;

  BackwardAfterProduct(const GruBackward<T>& on, const Tensor& w)
      : GruBackward<T>(on), weight(for_gradients<T>(w, 0, 3 * on.steps.hidden)) {}

  void start(std::int64_t t, std::int64_t i) const {
    gradients_after_product(this->before(t, i), this->gates(t, i), this->to_state(0, i), this->to_projected(t, i),
                            this->to_hidden(t, i), this->steps.hidden);
  }
  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    const std::int64_t step = this->to_hidden.size;
    weight.multiply({this->to_hidden(t, begin), end - begin, step, step, 1}, this->to_state(0, begin),
                    this->steps.hidden, true);
  }
};

}  // namespace regard::recurrent
