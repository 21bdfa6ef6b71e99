#pragma once

#include "tensor/loops/cascade.h"
#include "tensor/loops/registers.h"

namespace regard::loops {

// The sum of [begin, end): several vectors of sums are under way, and meet in the end.
template <class T, class F>
[[gnu::always_inline]] inline T sum_of_part(std::int64_t begin, std::int64_t end, const F& f) {
  constexpr std::int64_t n = math::lanes<T>, ways = 4;
  math::Vector<T> sum[ways] = {};
  std::int64_t i = begin;
  for (; i + ways * n <= end; i += ways * n)
#pragma GCC unroll 4
    for (std::int64_t w = 0; w < ways; ++w) sum[w] += f(VectorAt{i + w * n});
  for (; i + n <= end; i += n) sum[0] += f(VectorAt{i});
  T total = math::sum_of_lanes((sum[0] + sum[1]) + (sum[2] + sum[3]));
  for (; i < end; ++i) total += f(NumberAt{i});
  return total;
}

// Σ f(i) for 0 ≤ i < count. The order of additions depends on the count alone.
template <class T, class F>
[[gnu::always_inline]] inline T sum_row(std::int64_t count, const F& f) {
  constexpr std::int64_t part = CascadeSum<T>::block;
  if (count <= part) return sum_of_part<T>(0, count, f);
  CascadeSum<T> sum;
  for (std::int64_t begin = 0; begin < count; begin += part)
    sum.add_blocks(sum_of_part<T>(begin, std::min(begin + part, count), f));
  return sum.total();
}

}  // namespace regard::loops
