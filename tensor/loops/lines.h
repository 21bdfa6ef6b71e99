#pragma once

#include "tensor/loops/walk.h"
#include "tensor/threads/parallel.h"
#include "tensor/view.h"

#include <tuple>

namespace regard::loops {

// One line of a tensor along some axis: `count` elements that lie `step` apart.
template <class T>
struct Line {
  const T* first;
  std::int64_t count, step;
  const T& operator[](std::int64_t i) const { return first[i * step]; }
};

// For operations along one axis (softmax, cumsum, sort, gather, …). Calls f(out, line…) once for each line of the
// operands, which agree in all other axes; out points at the `count` contiguous elements to fill.
template <class Out, class... In, class F>
Tensor map_lines(int axis, std::int64_t count, F f, std::array<Tensor, sizeof...(In)> lines) {
  constexpr std::size_t N = sizeof...(In);
  for (Tensor& x : lines) x = transpose(x, axis, -1);
  Tensor result = empty(lines[0].shape().with(-1, count), dtype_of<Out>());
  Out* out = result.template writable<Out>();

  const Shape starts = result.shape().without(-1);
  std::array<Strides, N> strides;
  for (std::size_t n = 0; n < N; ++n) strides[n] = lines[n].strides().without(-1);
  const Walk<N> walk(starts, strides);
  const auto run = [&]<std::size_t... n>(std::index_sequence<n...>) {
    const std::tuple first{lines[n].template data<In>()...};
    parallel_for(starts.numel(), items_of_a_task(2 * count), [&](std::int64_t begin, std::int64_t end) {
      walk.run(begin, end, [&](std::int64_t position, const auto& offset, std::int64_t run_length) {
        for (std::int64_t i = 0; i < run_length; ++i)
          f(out + (position + i) * count, Line<In>{std::get<n>(first) + offset[n] + i * walk.row_steps()[n],
                                                   lines[n].shape().back(), lines[n].strides().back()}...);
      });
    });
  };
  run(std::make_index_sequence<N>{});
  return transpose(result, axis, -1);
}

}  // namespace regard::loops
