#pragma once

#include "tensor/kernels/map.h"

namespace regard::kernels {

// Writes the elements of `source` into `target`, a view of a tensor the caller has just made. Same shape, same dtype.
inline void copy_into(Tensor target, const Tensor& source) {
  if (target.shape() != source.shape())
    fail<ShapeError>("copy: {} does not fit into {}", source.shape(), target.shape());
  dispatch(source.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* out = target.writable<T>();
    const T* in = source.data<T>();
    const Walk<2> walk(source.shape(), {target.strides(), source.strides()});
    const auto [out_step, in_step] = walk.row_steps();
    parallel_for(source.numel(), grain, [&, out_step = out_step, in_step = in_step](auto begin, auto end) {
      walk.run(begin, end, [&](std::int64_t, const auto& offset, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) out[offset[0] + i * out_step] = in[offset[1] + i * in_step];
      });
    });
  });
}

}  // namespace regard::kernels
