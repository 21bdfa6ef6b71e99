#pragma once

#include "autograd/variable.h"
#include "tensor/ops/reduce.h"

namespace regard {

// The verbs of tensor/ops/reduce.h, recorded.

Variable sum(const Variable& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Variable prod(const Variable& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Variable mean(const Variable& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Variable var(const Variable& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no, int correction = 0);
Variable max(const Variable& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Variable min(const Variable& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Variable logsumexp(const Variable& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Tensor argmax(const Variable& x, int axis, KeepDim keep = KeepDim::no);
Tensor argmin(const Variable& x, int axis, KeepDim keep = KeepDim::no);
Tensor all(const Variable& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Tensor any(const Variable& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Variable sum_to(const Variable& x, const Shape& shape);

}  // namespace regard
