#pragma once

#include "tensor/tensor.h"

namespace regard {

// Picking elements by index tensors (i64). An index outside the axis is an error; indexes do not count from the end.

// y[…, j, …] = x[…, index[j], …]: whole slices, such as rows of an embedding table. The index is 1-d.
Tensor index_select(const Tensor& x, int axis, const Tensor& index);

// y[…, j, …] = x[…, index[…, j, …], …]: one element at a time. x and index agree in all axes but this one.
Tensor gather(const Tensor& x, int axis, const Tensor& index);

// y = x, but y[…, index[…, j, …], …] += source[…, j, …]: the reverse of gather. Repeated indexes add up, in order.
Tensor scatter_add(const Tensor& x, int axis, const Tensor& index, const Tensor& source);

Tensor masked_fill(const Tensor& x, const Tensor& mask, double value);  // value where the mask is not 0
void require_mask(const Shape& shape, const Tensor& mask);              // that it broadcasts to the shape

// 1-d indexes, seen in the shape of x with its `axis` replaced by them: what turns index_select into gather.
Tensor spread_index(const Tensor& x, int axis, const Tensor& index);

// The lower or upper triangle of the last two axes; the rest is 0. diagonal > 0 moves the border to the right.
Tensor tril(const Tensor& x, std::int64_t diagonal = 0);
Tensor triu(const Tensor& x, std::int64_t diagonal = 0);
Tensor lower_triangle(const char* operation, const Shape& shape, std::int64_t diagonal, DType dtype);  // its 0/1 mask

// (…) indexes → (…, classes): 1 at the index, 0 elsewhere.
Tensor one_hot(const Tensor& index, std::int64_t classes, DType dtype = DType::f32);

}  // namespace regard
