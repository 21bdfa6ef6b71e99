#pragma once

#include "tensor/attention/operands.h"

#include <vector>

namespace regard::attention_ladder {

// The way from the definition of attention to all threads, rung by rung, for tests and benchmarks. Each computes the
// same; they are f32 and f64 alike. Rung 4 is given the dot product, with the scale as the parameter of each feature.
template <class T>
struct Rung {
  const char* name;
  void (*forward)(const Operands<T>& in, T* output);
  // The forward pass, and the gradients of Σ g·output: a rung decides what it keeps between the two.
  void (*gradient)(const Operands<T>& in, const T* g, T* output, const Gradients<T>& to);
  // How many numbers it holds meanwhile, beside the operands, the output and the gradients.
  std::int64_t (*held)(const Operands<T>& in);
};

template <class T>
std::vector<Rung<T>> ladder();

}  // namespace regard::attention_ladder
