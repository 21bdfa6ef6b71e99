#pragma once

#include <array>
#include <cstdint>

namespace regard::kernels {

// A running sum whose rounding error grows with log n instead of n. Numbers are added up in blocks; block sums are
// then paired like the digits of a binary counter: level k holds the sum of 2^k blocks, and two sums meet only when
// they cover equally many.
template <class T>
class CascadeSum {
 public:
  static constexpr std::int64_t block = 128;

  void add_block(T sum) {
    int level = 0;
    for (std::uint64_t carry = blocks_; carry & 1; carry >>= 1) sum = levels_[level++] + sum;
    levels_[level] = sum;
    ++blocks_;
  }

  // count numbers that lie `step` apart.
  void add(const T* first, std::int64_t count, std::int64_t step) {
    for (std::int64_t begin = 0; begin < count; begin += block) {
      const std::int64_t n = count - begin < block ? count - begin : block;
      add_block(step == 1 ? sum_dense(first + begin, n) : sum_strided(first + begin * step, n, step));
    }
  }

  T total() const {
    T sum = 0;
    int level = 0;
    for (std::uint64_t rest = blocks_; rest; rest >>= 1, ++level)
      if (rest & 1) sum += levels_[level];
    return sum;
  }

 private:
  // Sixteen lanes that the compiler keeps in vector registers: the order of additions is written out, so it may.
  static T sum_dense(const T* x, std::int64_t n) {
    constexpr int lanes = 16;
    std::array<T, lanes> lane{};
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes)
      for (int l = 0; l < lanes; ++l) lane[l] += x[i + l];
    for (int l = 0; i < n; ++i, ++l) lane[l] += x[i];
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
  }

  static T sum_strided(const T* x, std::int64_t n, std::int64_t step) {
    T sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += x[i * step];
    return sum;
  }

  std::array<T, 64> levels_{};
  std::uint64_t blocks_ = 0;
};

}  // namespace regard::kernels
