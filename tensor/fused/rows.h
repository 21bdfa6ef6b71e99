#pragma once

#include "tensor/kernels/cascade.h"
#include "tensor/parallel.h"
#include "tensor/tensor.h"

namespace regard::kernels {

// The last axis of a tensor is taken as rows of D numbers, and all axes in front of it as a list of N rows.
struct Rows {
  std::int64_t count, length;
};

inline Rows rows_of(const Tensor& x) {
  const std::int64_t length = x.shape().back();
  return {length == 0 ? 0 : x.numel() / length, length};
}

// Calls body(row) for every row, shared out among the threads.
template <class Body>
void for_each_row(Rows rows, const Body& body) {
  const std::int64_t rows_per_task = std::max<std::int64_t>(1, (1 << 14) / std::max<std::int64_t>(rows.length, 1));
  parallel_for(rows.count, rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) body(row);
  });
}

// Σ f(i) for 0 ≤ i < count: sixteen running sums, which the compiler keeps in vector registers, in blocks that a cascade
// adds up. The order of additions depends on count alone.
template <class T, class F>
T sum_over(std::int64_t count, const F& f) {
  constexpr int lanes = 16;
  CascadeSum<T> sum;
  for (std::int64_t begin = 0; begin < count; begin += sum.block) {
    const std::int64_t end = std::min(begin + sum.block, count);
    std::array<T, lanes> lane{};
    std::int64_t i = begin;
    for (; i + lanes <= end; i += lanes)
      for (int l = 0; l < lanes; ++l) lane[l] += f(i + l);
    for (int l = 0; i < end; ++i, ++l) lane[l] += f(i);
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    sum.add_block(lane[0]);
  }
  return sum.total();
}

}  // namespace regard::kernels
