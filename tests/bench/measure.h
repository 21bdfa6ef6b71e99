#pragma once

#include "tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <string>

namespace regard::bench {

// A measurement is named by what is computed, how many threads do it, and who does it:
//   square/NN/512/t2/openblas
// Those that differ in the last word alone are compared with each other.
struct Key {
  std::string what;  // "square/NN/512"
  int threads;
};

// What one execution amounts to, for rates: floating-point operations, and bytes that memory must move at the least.
// And how many bytes it holds meanwhile beside operands and results, where that is known.
struct Work {
  double flops = 0, bytes = 0, held = 0;
};

using Run = std::function<void()>;
using Prepare = std::function<Run()>;  // makes the operands, and returns what is to be timed

// Registers a measurement. Everybody's number of threads is set, idle threads are given the time to fall asleep, and
// the caches are warmed before the clock starts.
void measure(const Key& key, const std::string& who, const Work& work, const Prepare& prepare);

// The same for what must be timed from inside, such as the first call after a pause: `run` returns its seconds, and the
// mean of ten is taken, after one that is not counted.
void measure_seconds(const Key& key, const std::string& who, std::function<double()> run);

// Random numbers between −1 and 1, the same tensor for the same request, so that all who are compared share operands.
Tensor operand(const Shape& shape, int number = 0, DType dtype = DType::f32);

// Each program defines this.
void register_measurements();

}  // namespace regard::bench
