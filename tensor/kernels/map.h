#pragma once

#include "tensor/kernels/walk.h"
#include "tensor/parallel.h"

namespace regard::kernels {

// Elements one task handles: large enough that handing it out does not matter, and a fixed number, so that the cut
// into tasks does not depend on the number of threads.
inline constexpr std::int64_t grain = 1 << 14;

// result[i] = f(x[i], …) for operands that are broadcast to `shape`. All operands hold elements of type In.
template <class Out, class In, class F, class... Operands>
Tensor map_broadcast(const Shape& shape, F f, const Operands&... operands) {
  constexpr std::size_t N = sizeof...(Operands);
  Tensor result = empty(shape, dtype_of<Out>());
  Out* out = result.template writable<Out>();
  const std::array<const In*, N> in{operands.template data<In>()...};

  const auto apply = [&]<std::size_t... n>(std::index_sequence<n...>) {
    if ((... && (operands.shape() == shape && operands.is_contiguous()))) {
      parallel_for(result.numel(), grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) out[i] = f(in[n][i]...);
      });
      return;
    }
    const Walk<N> walk(shape, {broadcast_strides(operands, shape)...});
    const auto step = walk.row_steps();
    parallel_for(result.numel(), grain, [&](std::int64_t begin, std::int64_t end) {
      walk.run(begin, end, [&](std::int64_t position, const auto& offset, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) out[position + i] = f(in[n][offset[n] + i * step[n]]...);
      });
    });
  };
  apply(std::make_index_sequence<N>{});
  return result;
}

template <class Out, class In, class F>
Tensor map(const Tensor& x, F f) {
  return map_broadcast<Out, In>(x.shape(), f, x);
}

}  // namespace regard::kernels
