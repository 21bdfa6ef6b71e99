#pragma once

#include "autograd/variable.h"
#include "tensor/ops/index.h"

namespace regard {

// The verbs of tensor/ops/index.h, recorded. Indexes and masks are Tensors: no gradient flows to them.

Variable gather(const Variable& x, int axis, const Tensor& index);
Variable index_select(const Variable& x, int axis, const Tensor& index);
Variable scatter_add(const Variable& x, int axis, const Tensor& index, const Variable& source);
Variable masked_fill(const Variable& x, const Tensor& mask, double value);
Variable tril(const Variable& x, std::int64_t diagonal = 0);
Variable triu(const Variable& x, std::int64_t diagonal = 0);

}  // namespace regard
