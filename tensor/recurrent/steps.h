#pragma once

#include "tensor/matmul/engine/packed.h"
#include "tensor/recurrent/sequence.h"
#include "tensor/threads/parallel.h"

#include <algorithm>

namespace regard::recurrent {

using matmul_ladder::Matrix, matmul_ladder::PackedMatrix;

// The order in which steps are taken, and which of them are real, for loops over memory.
class Steps {
 public:
  // The shape (L, B, G·H) of what is projected, and H.
  Steps(const Shape& projected, std::int64_t state_size, const SequenceOptions& options)
      : length(projected[0]),
        batch(projected[1]),
        hidden(state_size),
        gates(projected[2] / state_size),
        reverse_(options.reverse),
        lengths_(options.lengths.defined() ? contiguous(options.lengths) : Tensor()) {}

  const std::int64_t length, batch, hidden, gates;

  std::int64_t time(std::int64_t k) const { return reverse_ ? length - 1 - k : k; }  // of the k-th step taken
  std::int64_t before(std::int64_t t) const { return reverse_ ? t + 1 : t; }         // the state that it begins with
  std::int64_t after(std::int64_t t) const { return reverse_ ? t : t + 1; }          // and that it ends with
  std::int64_t first() const { return reverse_ ? length : 0; }                       // the initial state

  bool is_real(std::int64_t t, std::int64_t sequence) const {
    return !lengths_.defined() || t < lengths_.data<std::int64_t>()[sequence];
  }
  // How many steps are real for at least one of these sequences.
  std::int64_t longest(std::int64_t begin, std::int64_t end) const {
    if (!lengths_.defined()) return length;
    const std::int64_t* of = lengths_.data<std::int64_t>();
    return *std::max_element(of + begin, of + end);
  }

  // Calls body(begin, end) for blocks of sequences. No sequence depends on another, so a thread takes its block through
  // all steps without waiting for others. A block is some dozens of rows high where there are so many: then a panel of
  // weights, once in the near cache, meets all of them.
  template <class Body>
  void for_each_block(const Body& body) const {
    constexpr std::int64_t most_rows = 32;
    const auto divided = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
    const std::int64_t threads = thread_count(),
                       rounds = std::max<std::int64_t>(1, divided(batch, most_rows * threads));
    const std::int64_t at_least = items_of_a_task(length * gates * hidden * hidden / multiply_adds_of_a_number);
    parallel_for(batch, std::max(divided(batch, rounds * threads), at_least), body);
  }

 private:
  bool reverse_;
  Tensor lengths_;
};

// Rows of a tensor (L, B, size), one for each sequence of each step. Of a tensor (1, B, size), or (B, size), every step
// has the same.
template <class T>
struct StepRows {
  T* data;
  std::int64_t size, step;

  StepRows(const Tensor& x) requires std::is_const_v<T> : StepRows(x, x.data<std::remove_const_t<T>>()) {}
  StepRows(Tensor& x) requires(!std::is_const_v<T>) : StepRows(x, x.writable<T>()) {}
  T* operator()(std::int64_t t, std::int64_t sequence) const { return data + t * step + sequence * size; }

 private:
  StepRows(const Tensor& x, T* memory)
      : data(memory),
        size(x.shape().back()),
        step(x.rank() > 2 && x.shape().back(3) > 1 ? x.shape().back(2) * x.shape().back() : 0) {}
};

// A cell that goes forward has
//   multiply(t, begin, end)   the products of step t with the states of a block of sequences
//   finish(t, sequence)       from the products to the next state
//   pass(t, sequence)         a padded step: the state stays. multiply may have computed with it all the same
template <class Cell>
void go_forward(const Steps& steps, const Cell& cell) {
  steps.for_each_block([&](std::int64_t begin, std::int64_t end) {
    const std::int64_t longest = steps.longest(begin, end);
    for (std::int64_t k = 0; k < steps.length; ++k) {
      const std::int64_t t = steps.time(k);
      if (t < longest) cell.multiply(t, begin, end);
      for (std::int64_t i = begin; i < end; ++i) steps.is_real(t, i) ? cell.finish(t, i) : cell.pass(t, i);
    }
  });
}

// One that goes backward has
//   arrive(s, begin, end)     adds what comes from outside to the gradient of state s, so far that of later steps
//   start(t, sequence)        from the gradient of the state after step t to those before its products
//   pass(t, sequence)         a padded step: the gradient of the state stays, those of its products are 0
//   multiply(t, begin, end)   from those of the products to that of the state before
template <class Cell>
void go_backward(const Steps& steps, const Cell& cell) {
  steps.for_each_block([&](std::int64_t begin, std::int64_t end) {
    const std::int64_t longest = steps.longest(begin, end);
    for (std::int64_t k = steps.length - 1; k >= 0; --k) {
      const std::int64_t t = steps.time(k);
      cell.arrive(steps.after(t), begin, end);
      for (std::int64_t i = begin; i < end; ++i) steps.is_real(t, i) ? cell.start(t, i) : cell.pass(t, i);
      if (t < longest) cell.multiply(t, begin, end);
    }
    cell.arrive(steps.first(), begin, end);
  });
}

// a += b
template <class T>
void add_to(T* __restrict a, const T* __restrict b, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) a[i] += b[i];
}

// Weights (…, H), packed to be multiplied with states, h·Wᵀ, or with gradients, g·W.
template <class T>
PackedMatrix<T> for_states(const Tensor& weight) {
  const std::int64_t rows = weight.shape()[0], hidden = weight.shape()[1];
  return PackedMatrix<T>({weight.data<T>(), hidden, rows, 1, hidden});
}
template <class T>
PackedMatrix<T> for_gradients(const Tensor& weight) {
  const std::int64_t rows = weight.shape()[0], hidden = weight.shape()[1];
  return PackedMatrix<T>({weight.data<T>(), rows, hidden, hidden, 1});
}

}  // namespace regard::recurrent
