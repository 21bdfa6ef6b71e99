#pragma once

#include "tensor/loops/walk.h"

#include <array>

namespace regard::loops {

// The loop that all others in this folder stand for: it visits every index of a shape, the last axis fastest, and keeps
// for each of N tensors where its element with that index stands,  at = i₀·stride₀ + i₁·stride₁ + …
// So  y[i, j, …] = f(x[i, j, …])  for all i, j, …  is
//   plain_loop<2>(shape, {y.strides(), x.strides()}, [&](const auto& at) { out[at[0]] = f(in[at[1]]); });
// One `for` for each axis, written as a function that calls itself. It does not matter how a tensor lies: a stride of 0
// repeats an element, which is broadcasting, and a negative one walks backwards. Tests hold the fast loops to this one.
template <std::size_t N, class Visit>
void plain_loop(const Shape& shape, const std::array<Strides, N>& strides, const Visit& visit,
                std::array<std::int64_t, N> at = {}, int axis = 0) {
  if (axis == shape.rank()) {
    visit(at);
    return;
  }
  for (std::int64_t i = 0; i < shape[axis]; ++i) {
    plain_loop(shape, strides, visit, at, axis + 1);
    for (std::size_t n = 0; n < N; ++n) at[n] += strides[n][axis];
  }
}

// The first step away from it:  out[i] = f(x[i])  for one x, into elements that lie side by side. The way from index to
// index is paid once a row, which is a straight run of elements a fixed step apart (walk.h). A row whose elements lie
// side by side becomes vector instructions. Any other is walked one by one, which map.cpp avoids by patches.
template <class T, class F>
void rows_loop(const Tensor& x, T* out, F f) {
  const Walk<1> walk(x.shape(), {x.strides()});
  const T* in = x.data<T>();
  const std::int64_t step = walk.row_steps()[0];
  walk.run(0, x.numel(), [&](std::int64_t position, const auto& at, std::int64_t count) {
    T* to = out + position;
    const T* from = in + at[0];
    if (step == 1)
      for (std::int64_t j = 0; j < count; ++j) to[j] = f(from[j]);
    else
      for (std::int64_t j = 0; j < count; ++j) to[j] = f(from[j * step]);
  });
}

}  // namespace regard::loops
