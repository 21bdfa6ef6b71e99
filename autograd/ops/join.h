#pragma once

#include "autograd/variable.h"
#include "tensor/ops/join.h"

namespace regard {

// The verbs of tensor/ops/join.h, recorded.

Variable cat(const std::vector<Variable>& parts, int axis);
Variable stack(const std::vector<Variable>& parts, int axis);
std::vector<Variable> split(const Variable& x, const std::vector<std::int64_t>& sizes, int axis);
Variable pad(const Variable& x, const std::vector<AxisPadding>& widths, double value = 0);
Variable place(const Variable& x, const Shape& shape, int axis, std::int64_t begin, std::int64_t step);

}  // namespace regard
