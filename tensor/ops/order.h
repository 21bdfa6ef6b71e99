#pragma once

#include "tensor/tensor.h"

namespace regard {

enum class SortOrder { ascending, descending };

Tensor cumsum(const Tensor& x, int axis);   // yᵢ = x₀ + … + xᵢ
Tensor cumprod(const Tensor& x, int axis);  // yᵢ = x₀ · … · xᵢ

// The gradient of Σ g·cumprod(x):  ∂xᵢ = (x₀·…·xᵢ₋₁)·sᵢ with sᵢ = gᵢ + xᵢ₊₁·sᵢ₊₁, in two passes through each line.
Tensor cumprod_gradient(const Tensor& g, const Tensor& x, int axis);

// The indexes (i64) that sort each line. Equal elements keep their order; NaN counts as larger than everything.
Tensor argsort(const Tensor& x, int axis, SortOrder order = SortOrder::ascending);
Tensor sort(const Tensor& x, int axis, SortOrder order = SortOrder::ascending);

// The k largest elements of each line, in descending order, and where they stand.
struct TopK {
  Tensor values, indexes;
};
TopK topk(const Tensor& x, std::int64_t k, int axis);

}  // namespace regard
