#pragma once

#include "autograd/variable.h"
#include "tensor/ops/order.h"

namespace regard {

// The verbs of tensor/ops/order.h, recorded. Which element stands where is not differentiable; the elements are.

Variable cumsum(const Variable& x, int axis);
Variable cumprod(const Variable& x, int axis);
Tensor argsort(const Variable& x, int axis, SortOrder order = SortOrder::ascending);
Variable sort(const Variable& x, int axis, SortOrder order = SortOrder::ascending);

struct TopKVariables {
  Variable values;
  Tensor indexes;
};
TopKVariables topk(const Variable& x, std::int64_t k, int axis);

// For rules of products:  yᵢ = x₀ · … · xᵢ₋₁, and 1 for the first.
Variable products_before(const Variable& x, int axis);

}  // namespace regard
