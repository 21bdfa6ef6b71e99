#pragma once

#include "autograd/variable.h"

#include <cstdint>
#include <functional>

namespace regard {

struct MeasuredSlope {
  double slope = 0;
  double doubt = 0;  // so much may be rounding, or the bend or kink of the loss, and not the slope
};

// ∂loss/∂x[element] as a slope: loss is computed with the element a little larger and a little smaller. x is a leaf. It
// has its old value afterwards, and graphs that were recorded with it stay good.
MeasuredSlope measured_slope(const Variable& x, std::int64_t element, const std::function<Variable()>& loss);

}  // namespace regard
