#include "autograd/gradcheck/loose_rounding.h"

#include "autograd/record.h"
#include "tensor/ops/arithmetic.h"

#include <limits>
#include <utility>

namespace regard {
namespace gradchecks {
namespace {

thread_local LooseRounding* current = nullptr;

}  // namespace

LooseRounding::LooseRounding(std::uint64_t seed) : generator_(seed), before_(std::exchange(current, this)) {
  rounds_loosely = true;
}
LooseRounding::~LooseRounding() {
  current = before_;
  rounds_loosely = before_ != nullptr;
}

Tensor LooseRounding::loosened(const Tensor& value) {
  if (value.dtype() != DType::f64) return value;
  constexpr double unit = std::numeric_limits<double>::epsilon();
  return multiply(value, uniform(value.shape(), generator_, 1 - unit, 1 + unit, DType::f64));
}

}  // namespace gradchecks

Tensor loosely_rounded(const Tensor& value) { return gradchecks::current->loosened(value); }

}  // namespace regard
