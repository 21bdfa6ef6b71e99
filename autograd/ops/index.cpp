#include "autograd/ops/index.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/record.h"
#include "tensor/create.h"

#include <algorithm>

namespace regard {

// yⱼ = x[iⱼ]:  each element of x collects the gradients of its copies.
Variable gather(const Variable& x, int axis, const Tensor& index) {
  return record(op("gather"), {x}, gather(x.value(), axis, index),
                [axis, index](const Variable& grad, const Saved& saved) {
                  return gradients(scatter_add(zeros_like(saved.input().value()), axis, index, grad));
                });
}

// y[j] = x[iⱼ], whole slices:  a gather with one index for all elements of a slice. A slice that was picked twice gets
// the sum of both gradients.
Variable index_select(const Variable& x, int axis, const Tensor& index) {
  require_indexes("index_select", index);
  return gather(x, axis, spread_index(x.value(), axis, index));
}

// y = x, then y[iⱼ] += sⱼ:  x goes through unchanged; sⱼ has the gradient of the element it was added to.
Variable scatter_add(const Variable& x, int axis, const Tensor& index, const Variable& source) {
  return record(op("scatter_add"), {x, source}, scatter_add(x.value(), axis, index, source.value()),
                [axis, index](const Variable& grad, const Saved& saved) {
                  return gradients(grad, saved.wants(1) ? gather(grad, axis, index) : Variable());
                });
}

// y = c where the mask is not 0, else x:  by the rule of where, x gets g where it was kept, and 0 elsewhere.
Variable masked_fill(const Variable& x, const Tensor& mask, double value) {
  require_mask(x.shape(), mask);
  return where(mask, value, x);
}

// y = x on and below the diagonal, else 0:  by the rule of where, x gets g there, and 0 elsewhere.
Variable tril(const Variable& x, std::int64_t diagonal) {
  return where(lower_triangle("tril", x.shape(), diagonal, x.dtype()), x, 0);
}

// y = x on and above the diagonal, else 0:  by the rule of where, x gets g there, and 0 elsewhere.
Variable triu(const Variable& x, std::int64_t diagonal) {
  return where(lower_triangle("triu", x.shape(), std::max(diagonal, INT64_MIN + 1) - 1, x.dtype()), 0, x);
}

}  // namespace regard
