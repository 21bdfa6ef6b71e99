#pragma once

#include "tensor/tensor.h"

namespace regard {

enum class SortOrder { ascending, descending };

Tensor cumsum(const Tensor& x, int axis);   // yᵢ = x₀ + … + xᵢ
Tensor cumprod(const Tensor& x, int axis);  // yᵢ = x₀ · … · xᵢ

// The indexes (i64) that sort each line. Equal elements keep their order; NaN counts as larger than everything.
Tensor argsort(const Tensor& x, int axis, SortOrder order = SortOrder::ascending);
Tensor sort(const Tensor& x, int axis, SortOrder order = SortOrder::ascending);

// The k largest elements of each line, in descending order, and where they stand.
struct TopK {
  Tensor values, indexes;
};
TopK topk(const Tensor& x, std::int64_t k, int axis);

}  // namespace regard
