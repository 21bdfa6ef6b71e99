#pragma once

#include "tensor/tensor.h"

#include <cstdint>

namespace regard::nn {

// How the numbers of a tensor lie, and how those of several tensors together.
struct Spread {
  std::int64_t count = 0;
  double mean = 0, variance = 0;  // the biased one: divided by the count
  double zeros = 0;               // the share of numbers that are exactly 0

  double deviation() const;
  void add(const Spread& more);
};
Spread spread_of(const Tensor& x);

// Σ x², and its root, the length of all numbers taken as one vector. In f64: the square of 1e-25 is 0 in f32.
double sum_of_squares(const Tensor& x);
double length_of(const Tensor& x);

}  // namespace regard::nn
