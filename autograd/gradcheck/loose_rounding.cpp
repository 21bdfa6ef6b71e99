#include "autograd/gradcheck/loose_rounding.h"

#include "tensor/ops/arithmetic.h"

#include <limits>

namespace regard::gradchecks {

LooseRounding::LooseRounding(std::uint64_t seed) : generator_(seed) {}

Tensor LooseRounding::value(const OpInfo&, const graph::Inputs&, const Tensor& value) {
  if (value.dtype() != DType::f64) return value;
  constexpr double unit = std::numeric_limits<double>::epsilon();
  return multiply(value, uniform(value.shape(), generator_, 1 - unit, 1 + unit, DType::f64));
}

}  // namespace regard::gradchecks
