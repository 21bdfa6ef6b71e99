#pragma once

#include "tensor/kernels/walk.h"
#include "tensor/parallel.h"
#include "tensor/reduce.h"

namespace regard::kernels {

// The one loop behind all reductions. For every element of the result, `fold` is called with the elements of x that
// fall onto it, and returns their summary:
//   fold(first, rows)    where rows.run(0, n, row(position, {offset}, count)) visits them as straight runs.
// Each result is folded by one task in a fixed order, so it does not depend on the number of threads.
template <class Out, class In, class Fold>
Tensor fold_axes(const Tensor& x, const Shape& marks, KeepDim keep, Fold fold) {
  Shape kept, folded;
  Strides kept_strides, folded_strides;
  for (int axis = 0; axis < x.rank(); ++axis) {
    (marks[axis] ? folded : kept).push_back(x.shape()[axis]);
    (marks[axis] ? folded_strides : kept_strides).push_back(x.strides()[axis]);
  }
  Tensor result = empty(reduced_shape(x.shape(), marks, keep), dtype_of<Out>());
  Out* out = result.template writable<Out>();
  const In* in = x.template data<In>();
  const std::int64_t count = folded.numel();
  const Walk<1> results(kept, {kept_strides}), elements(folded, {folded_strides});

  const std::int64_t results_per_task = std::max<std::int64_t>(1, (1 << 14) / std::max<std::int64_t>(count, 1));
  parallel_for(kept.numel(), results_per_task, [&](std::int64_t begin, std::int64_t end) {
    results.run(begin, end, [&](std::int64_t position, const auto& offset, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) {
        const In* first = in + offset[0] + i * results.row_steps()[0];
        out[position + i] = fold([&](auto row) {
          elements.run(0, count, [&](std::int64_t, const auto& start, std::int64_t length) {
            row(first + start[0], length, elements.row_steps()[0]);
          });
        });
      }
    });
  });
  return result;
}

}  // namespace regard::kernels
