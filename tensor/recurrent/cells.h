#pragma once

#include "tensor/create.h"
#include "tensor/math/math.h"
#include "tensor/recurrent/steps.h"

#include <array>

namespace regard::recurrent {

// A cell is one step for one sequence. Going forward,
//   next(p, bias, row, before, after, H)          from the products W_hh·h, in `row`, to the next states; where the
//                                                 cell keeps gates, the row becomes them
// and going backward, where d holds the gradients of the states after the step, and then those of the states before it,
// without what comes through the products:
//   gradients(row, before, after, d, to_projected, to_hidden, H)
// `to_hidden` is the same row as `to_projected` where all parts enter by a sum, a = p + W_hh·h + b_hh.

// Rows that one loop uses do not overlap, which GCC has to be told; Clang looks when the program runs.
#ifdef __clang__
#define REGARD_ROWS_APART
#else
#define REGARD_ROWS_APART _Pragma("GCC ivdep")
#endif

template <class T, std::size_t states>
using Rows = std::array<T*, states>;

struct Tanh {
  [[gnu::always_inline]] static auto value(auto x) { return math::tanh(x); }
  [[gnu::always_inline]] static auto gradient(auto d, auto y) { return d * (1 - y * y); }
};
struct Relu {
  [[gnu::always_inline]] static auto value(auto x) { return x < 0 ? 0 : x; }
  [[gnu::always_inline]] static auto gradient(auto d, auto y) { return y > 0 ? d : 0; }
};

// The states say all there is to know of a step, as the slope of each activation follows from its value.
template <class A>
struct Rnn {
  static constexpr const char* name = "rnn";
  static constexpr std::int64_t gates = 1, kept = 1;
  static constexpr std::size_t states = 1;
  static constexpr bool keeps_gates = false, is_sum = true;

  template <class T>
  static void next(const T* p, const T* bias, T* row, const Rows<T, 1>&, const Rows<T, 1>& after, std::int64_t n) {
    T* const h = after[0];
    REGARD_ROWS_APART
    for (std::int64_t j = 0; j < n; ++j) h[j] = A::value(p[j] + (row[j] + bias[j]));
  }
  template <class T>
  static void gradients(const T*, const Rows<const T, 1>&, const Rows<const T, 1>& after, const Rows<T, 1>& to,
                        T* to_projected, T*, std::int64_t n) {
    const T* const y = after[0];
    T* const d = to[0];
    REGARD_ROWS_APART
    for (std::int64_t j = 0; j < n; ++j) {
      to_projected[j] = A::gradient(d[j], y[j]);
      d[j] = 0;
    }
  }
};

// Four parts are kept: r, z, u = W_n·h + b_n, and n.
//   ∂n̂ = d·(1 − z)·(1 − n²)      ∂ẑ = d·(h − n)·z·(1 − z)      ∂u = ∂n̂·r      ∂r̂ = ∂n̂·u·r·(1 − r)
struct Gru {
  static constexpr const char* name = "gru";
  static constexpr std::int64_t gates = 3, kept = 4;
  static constexpr std::size_t states = 1;
  static constexpr bool keeps_gates = true, is_sum = false;

  template <class T>
  static void next(const T* p, const T* bias, T* row, const Rows<T, 1>& before, const Rows<T, 1>& after,
                   std::int64_t hidden) {
    T *r = row, *z = row + hidden, *u = row + 2 * hidden, *n = row + 3 * hidden, *h_next = after[0];
    const T* const h = before[0];
    REGARD_ROWS_APART
    for (std::int64_t j = 0; j < hidden; ++j) {
      const T reset = math::sigmoid(p[j] + (r[j] + bias[j]));
      const T update = math::sigmoid(p[hidden + j] + (z[j] + bias[hidden + j]));
      const T product = u[j] + bias[2 * hidden + j];
      const T candidate = math::tanh(p[2 * hidden + j] + reset * product);
      r[j] = reset;
      z[j] = update;
      u[j] = product;
      n[j] = candidate;
      h_next[j] = candidate + update * (h[j] - candidate);
    }
  }
  template <class T>
  static void gradients(const T* row, const Rows<const T, 1>& before, const Rows<const T, 1>&, const Rows<T, 1>& to,
                        T* to_projected, T* to_hidden, std::int64_t hidden) {
    const T *r = row, *z = row + hidden, *u = row + 2 * hidden, *n = row + 3 * hidden, *h = before[0];
    T* const d = to[0];
    REGARD_ROWS_APART
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
};

// The gates i, f, g and o are kept. With m = tanh c′:
//   ∂ô = dh·m·o·(1 − o)      ∂c′ = dc + dh·o·(1 − m²)
//   ∂î = ∂c′·g·i·(1 − i)     ∂f̂ = ∂c′·c·f·(1 − f)     ∂ĝ = ∂c′·i·(1 − g²)     ∂c = ∂c′·f
struct Lstm {
  static constexpr const char* name = "lstm";
  static constexpr std::int64_t gates = 4, kept = 4;
  static constexpr std::size_t states = 2;
  static constexpr bool keeps_gates = true, is_sum = true;

  template <class T>
  static void next(const T* p, const T* bias, T* row, const Rows<T, 2>& before, const Rows<T, 2>& after,
                   std::int64_t hidden) {
    T *i = row, *f = row + hidden, *g = row + 2 * hidden, *o = row + 3 * hidden;
    T *next_h = after[0], *next_c = after[1];
    const T* const c = before[1];
    REGARD_ROWS_APART
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
  template <class T>
  static void gradients(const T* row, const Rows<const T, 2>& before, const Rows<const T, 2>& after,
                        const Rows<T, 2>& d, T* to, T*, std::int64_t hidden) {
    const T *i = row, *f = row + hidden, *g = row + 2 * hidden, *o = row + 3 * hidden;
    const T *c = before[1], *next_c = after[1];
    T *dh = d[0], *dc = d[1];
    REGARD_ROWS_APART
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
};

// The rows of h. For an LSTM those of c lie behind all of h, `to_next` numbers farther.
template <class T, std::size_t count>
struct StateRows {
  StepRows<T> h;
  std::int64_t to_next;

  template <class Any>
  explicit StateRows(Any& x) : h(x), to_next(x.numel() / static_cast<std::int64_t>(count)) {}
  Rows<T, count> operator()(std::int64_t t, std::int64_t sequence) const {
    Rows<T, count> rows;
    for (std::size_t n = 0; n < count; ++n) rows[n] = h(t, sequence) + static_cast<std::int64_t>(n) * to_next;
    return rows;
  }
};

// All steps of a cell, forward. made.states holds the initial states.
template <class C, class T>
struct Forward {
  const Steps& steps;
  PackedMatrix<T> weight;
  StepRows<const T> projected;
  const T* bias;
  StateRows<T, C::states> states;
  StepRows<T> gates;

  Forward(const Steps& s, const Tensor& w, const Tensor& p, const Tensor& b, SequenceResult& made)
      : steps(s), weight(for_states<T>(w)), projected(p), bias(b.data<T>()), states(made.states), gates(made.gates) {}

  Matrix<T> before(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    return {states.h(steps.before(t), begin), end - begin, steps.hidden, steps.hidden, 1};
  }
  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    weight.multiply(before(t, begin, end), gates(t, begin), gates.size);
  }
  void finish(std::int64_t t, std::int64_t i) const {
    C::template next<T>(projected(t, i), bias, gates(t, i), states(steps.before(t), i), states(steps.after(t), i),
                        steps.hidden);
  }
  void pass(std::int64_t t, std::int64_t i) const {
    const auto from = states(steps.before(t), i), to = states(steps.after(t), i);
    for (std::size_t n = 0; n < C::states; ++n) std::copy_n(from[n], steps.hidden, to[n]);
  }
};

// And backward. The gradients of the states are kept where those of the initial states will be in the end; they begin
// with zeros.
template <class C, class T>
struct Backward {
  const Steps& steps;
  PackedMatrix<T> weight;
  StateRows<const T, C::states> arriving, states;
  StepRows<const T> gates;
  StepRows<T> to_projected, to_hidden;
  StateRows<T, C::states> to_states;

  Backward(const Steps& s, const Tensor& w, const Tensor& g, const SequenceResult& made, SequenceGradients& to)
      : steps(s),
        weight(for_gradients<T>(w)),
        arriving(g),
        states(made.states),
        gates(made.gates),
        to_projected(to.projected),
        to_hidden(to.hidden),
        to_states(to.initial) {}

  void arrive(std::int64_t state, std::int64_t begin, std::int64_t end) const {
    const auto to = to_states(0, begin);
    const auto from = arriving(state, begin);
    for (std::size_t n = 0; n < C::states; ++n) add_to(to[n], from[n], (end - begin) * steps.hidden);
  }
  void start(std::int64_t t, std::int64_t i) const {
    C::template gradients<T>(gates(t, i), states(steps.before(t), i), states(steps.after(t), i), to_states(0, i),
                             to_projected(t, i), to_hidden(t, i), steps.hidden);
  }
  void pass(std::int64_t t, std::int64_t i) const {
    std::fill_n(to_projected(t, i), to_projected.size, T{0});
    std::fill_n(to_hidden(t, i), to_hidden.size, T{0});
  }
  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    const std::int64_t size = to_hidden.size;
    weight.multiply({to_hidden(t, begin), end - begin, size, size, 1}, to_states.h(0, begin), steps.hidden, true);
  }
};

// Of all states (L + 1, B, H), with an axis in front for the kind where there are several.
template <class C>
Shape shape_of(const Shape& of_one) {
  return C::states == 1 ? of_one : Shape{static_cast<std::int64_t>(C::states), of_one[0], of_one[1], of_one[2]};
}

// Room for the gradients, and zeros for those of the initial states.
template <class C>
SequenceGradients room_for_gradients(const Tensor& states) {
  const Shape& shape = states.shape();
  const std::int64_t batch = shape.back(2), hidden = shape.back();
  const Tensor projected = empty({shape.back(3) - 1, batch, C::gates * hidden}, states.dtype());
  const Tensor summed = C::is_sum ? projected : empty(projected.shape(), states.dtype());
  return {projected, summed, zeros(shape.without(-3), states.dtype())};
}

#undef REGARD_ROWS_APART

}  // namespace regard::recurrent
