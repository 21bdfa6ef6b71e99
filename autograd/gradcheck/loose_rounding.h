#pragma once

#include "autograd/record.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/random/random.h"

#include <limits>

namespace regard::gradchecks {

// While one lives, every operation on this thread rounds worse than it has to: each f64 element of its result is
// changed at random, by up to two units in the last digit. What hangs on such a digit then jumps, and can be seen.
class LooseRounding : public Observer {
 public:
  explicit LooseRounding(std::uint64_t seed) : generator_(seed) {}

  Tensor value(const OpInfo&, const graph::Inputs&, const Tensor& value) override {
    if (value.dtype() != DType::f64) return value;
    constexpr double unit = std::numeric_limits<double>::epsilon();
    return value * uniform(value.shape(), generator_, 1 - unit, 1 + unit, DType::f64);
  }

 private:
  Generator generator_;
};

}  // namespace regard::gradchecks
