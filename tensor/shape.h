#pragma once

#include "tensor/error.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace regard {

// The sizes of a tensor, outermost first: a matrix of 2 rows and 3 columns has shape (2, 3), a single number ().
// Stored inline, since every operation makes shapes and none should cost an allocation.
class Shape {
 public:
  static constexpr int max_rank = 6;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes);
  explicit Shape(const std::vector<std::int64_t>& sizes);  // for sizes that are not known before the program runs
  static Shape filled(int rank, std::int64_t value);

  int rank() const { return rank_; }
  std::int64_t numel() const {
    std::int64_t product = 1;
    for (int i = 0; i < rank_; ++i) product *= sizes_[i];
    return product;
  }

  // Plain indexing, 0 … rank−1. For axes given by a user see axis_of.
  std::int64_t operator[](int i) const { return sizes_[i]; }
  std::int64_t& operator[](int i) { return sizes_[i]; }
  std::int64_t back(int from_end = 1) const { return sizes_[rank_ - from_end]; }

  const std::int64_t* begin() const { return sizes_.data(); }
  const std::int64_t* end() const { return sizes_.data() + rank_; }

  void push_back(std::int64_t size) {
    if (rank_ == max_rank) fail_full();
    sizes_[rank_++] = size;
  }
  void insert(int position, std::int64_t size);

  // The same with another size of an axis, or without it. −1 is the last axis.
  Shape with(int axis, std::int64_t size) const;
  Shape without(int axis) const;

  friend bool operator==(const Shape& a, const Shape& b) {
    if (a.rank_ != b.rank_) return false;
    for (int i = 0; i < a.rank_; ++i)
      if (a.sizes_[i] != b.sizes_[i]) return false;
    return true;
  }

 private:
  [[noreturn]] void fail_full() const;

  std::array<std::int64_t, max_rank> sizes_{};
  int rank_ = 0;
};

// Distances in elements between neighbours along each axis. Same storage as a shape, another meaning.
using Strides = Shape;

// Throws for a negative size, and where elements or strides could not be counted in 64 bits.
void require_possible(const Shape& shape);

Strides contiguous_strides(const Shape& shape);

// Axes may be counted from the end: −1 is the last. Throws unless −rank ≤ axis < rank.
int axis_of(const char* operation, int axis, const Shape& shape);

// NumPy's rule: align at the right; sizes must be equal, or one of them 1, which is stretched.
Shape broadcast(const char* operation, const Shape& a, const Shape& b);

std::string to_string(const Shape& shape);  // "(2, 3)"; "()" for a single number

// The index of an element, given its row-major number: "[1, 2]" for 5 in (2, 3); "" for a single number.
std::string index_of(const Shape& shape, std::int64_t element);

}  // namespace regard

template <>
struct fmt::formatter<regard::Shape> : regard::TextFormatter<regard::Shape> {};
