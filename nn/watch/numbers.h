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

// √Σ x², the length of all numbers taken as one vector.
double length_of(const Tensor& x);

}  // namespace regard::nn
