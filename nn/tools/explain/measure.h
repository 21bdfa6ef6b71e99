#pragma once

#include "autograd/variable.h"

#include <cstdint>
#include <functional>

namespace regard {

// ∂loss/∂x[element] as a slope: loss is computed with the element a little larger and a little smaller. x is a leaf. It
// has its old value afterwards, and graphs that were recorded with it stay good.
double measured_slope(const Variable& x, std::int64_t element, const std::function<Variable()>& loss);

}  // namespace regard
