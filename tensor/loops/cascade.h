#pragma once

#include "tensor/loops/lanes.h"
#include "tensor/math/vector.h"

namespace regard::loops {

// A running sum whose rounding error grows with log n instead of n. Numbers are added up in blocks; block sums are
// then paired like the digits of a binary counter: level k holds the sum of 2^k blocks, and two sums meet only when
// they cover equally many.
template <class T>
class CascadeSum {
 public:
  static constexpr std::int64_t block = 512;

  // Adds the sum of 2^level blocks.
  void add_blocks(T sum, int level = 0) {
    const std::uint64_t more = std::uint64_t{1} << level;
    for (std::uint64_t carry = blocks_ >> level; carry & 1; carry >>= 1) sum = levels_[level++] + sum;
    levels_[level] = sum;
    blocks_ += more;
  }

  // count numbers that lie `step` apart.
  void add(const T* first, std::int64_t count, std::int64_t step) {
    std::int64_t begin = 0;
    for (; step == 1 && begin + 4 * block <= count; begin += 4 * block) add_blocks(sum_of_four(first + begin), 2);
    for (; begin < count; begin += block)
      add_blocks(fold_lanes(first + begin * step, count - begin < block ? count - begin : block, step, Plus{}));
  }

  T total() const {
    T sum = 0;
    int level = 0;
    for (std::uint64_t rest = blocks_; rest; rest >>= 1, ++level)
      if (rest & 1) sum += levels_[level];
    return sum;
  }

 private:
  // The sum of four blocks at once: their lanes are added in pairs before the lanes of one meet, so that there is one
  // fold instead of four. Lanes are taken in strips, so many that those of all four blocks fit into half of the
  // registers. The blocks are read one after another, as memory gives most if it is read evenly.
  [[gnu::noinline]] static T sum_of_four(const T* x) {
    constexpr int strip = math::vector_registers / 2 / 4;
    static_assert(fold_width % (strip * math::lanes<T>) == 0 && block % fold_width == 0);
    std::array<T, fold_width> lane;
    for (int first = 0; first < fold_width; first += strip * math::lanes<T>) {
      math::Vector<T> sum[4][strip] = {};
#pragma GCC unroll 4
      for (int one = 0; one < 4; ++one)
#pragma GCC unroll 1
        for (std::int64_t i = first; i < block; i += fold_width)
#pragma GCC unroll 4
          for (int v = 0; v < strip; ++v) sum[one][v] += math::load(x + one * block + i + v * math::lanes<T>);
#pragma GCC unroll 4
      for (int v = 0; v < strip; ++v)
        math::store(&lane[first + v * math::lanes<T>], (sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v]));
    }
    return fold_halves<fold_width>(lane.data(), Plus{});
  }

  std::array<T, 64> levels_;  // those whose bit in blocks_ is set have a value
  std::uint64_t blocks_ = 0;
};

}  // namespace regard::loops
