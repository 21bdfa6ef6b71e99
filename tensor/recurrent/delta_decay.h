#pragma once

#include "tensor/math/exp.h"
#include "tensor/matmul/engine/matrix_times_column.h"
#include "tensor/matmul/multiply.h"
#include "tensor/memory/scratch.h"

#include <algorithm>

namespace regard::recurrent {

using matmul_ladder::Matrix;

// Steps that are computed together. Longer chunks have more pairs, shorter ones more products with S: with Dk = 64 both
// are as many here.
inline constexpr std::int64_t chunk_steps = 64;

// A matrix whose rows follow each other.
template <class T>
Matrix<T> rows_of(const T* x, std::int64_t rows, std::int64_t columns) {
  return {x, rows, columns, columns, 1};
}

// The decays a of the n steps of a chunk. What step j wrote has faded, when step i ≥ j reads it, to r(i, j) = a_{j+1} ·
// … · a_i of what it was. It is made by multiplying step by step, not as a quotient of two long products: so nothing
// overflows, and a decay of 0 is one like any other.
template <class T>
class Decays {
 public:
  Decays(std::int64_t features, bool per_feature)
      : features_(features),
        per_feature_(per_feature),
        memory_((3 * chunk_steps + 1) * features + chunk_steps * chunk_steps) {}

  const T* from_start() const { return from_start_; }  // (n, Dk): a_0 · … · a_i
  const T* to_end() const { return to_end_; }          // (n, Dk): a_{i+1} · … · a_{n−1}

  // From log a, (n) or (n, Dk); null: all are 1.
  void set(const T* logs, std::int64_t count) {
    count_ = count;
    for (std::int64_t i = 0; i < count; ++i) {
      T* row = steps_ + i * features_;
      if (per_feature_)
        for (std::int64_t d = 0; d < features_; ++d) row[d] = math::exp(logs[i * features_ + d]);
      else
        std::fill_n(row, features_, logs ? math::exp(logs[i]) : T{1});
    }
    std::copy_n(steps_, features_, from_start_);
    for (std::int64_t i = features_; i < count * features_; ++i)
      from_start_[i] = from_start_[i - features_] * steps_[i];
    std::fill_n(to_end_ + (count - 1) * features_, features_, T{1});
    for (std::int64_t i = (count - 1) * features_ - 1; i >= 0; --i)
      to_end_[i] = to_end_[i + features_] * steps_[i + features_];
    if (!per_feature_) set_ratios();
  }

  // table(i, j) = Σ_d x(i, d)·y(j, d)·r(i, j, d) for j ≤ i, and 0 above: what step i finds of what step j wrote.
  void pairs(const T* x, const T* y, T* table) {
    if (!per_feature_) {
      matmul_ladder::multiply(rows_of(x, count_, features_), rows_of(y, count_, features_).transposed(), table, count_);
      for (std::int64_t i = 0; i < count_; ++i)
        for (std::int64_t j = 0; j < count_; ++j) {  // above the diagonal 0 and no NaN·0
          T& at = table[i * count_ + j];
          at = j <= i ? at * ratios_[i * count_ + j] : 0;
        }
      return;
    }
    std::fill_n(table, count_ * count_, T{0});
    for (std::int64_t j = 0; j < count_; ++j) {
      std::copy_n(y + j * features_, features_, faded_);
      for (std::int64_t i = j;;) {
        table[i * count_ + j] = matmul_ladder::dot(x + i * features_, faded_, features_);
        if (++i == count_) break;
        for (std::int64_t d = 0; d < features_; ++d) faded_[d] *= steps_[i * features_ + d];
      }
    }
  }

  // From the gradient of the table, which is overwritten: adds Σ_j ∂(i, j)·y(j)·r(i, j) to that of x(i), and
  // Σ_i ∂(i, j)·x(i)·r(i, j) to that of y(j).
  void pairs_gradient(T* to_table, const T* x, const T* y, T* to_x, T* to_y) {
    if (!per_feature_) {
      for (std::int64_t i = 0; i < count_ * count_; ++i) to_table[i] *= ratios_[i];
      const Matrix<T> to = rows_of<T>(to_table, count_, count_);
      matmul_ladder::multiply(to, rows_of(y, count_, features_), to_x, features_, true);
      matmul_ladder::multiply(to.transposed(), rows_of(x, count_, features_), to_y, features_, true);
      return;
    }
    for (std::int64_t i = 0; i < count_; ++i) {  // by Horner's rule: (… (y₀·a₁ + y₁)·a₂ + …)
      std::fill_n(faded_, features_, T{0});
      for (std::int64_t j = 0; j <= i; ++j) fade_and_add(j, to_table[i * count_ + j], y + j * features_);
      for (std::int64_t d = 0; d < features_; ++d) to_x[i * features_ + d] += faded_[d];
    }
    for (std::int64_t j = 0; j < count_; ++j) {
      std::fill_n(faded_, features_, T{0});
      for (std::int64_t i = count_ - 1; i >= j; --i)
        fade_and_add(std::min(i + 1, count_ - 1), to_table[i * count_ + j], x + i * features_);
      for (std::int64_t d = 0; d < features_; ++d) to_y[j * features_ + d] += faded_[d];
    }
  }

 private:
  void set_ratios() {
    std::fill_n(ratios_, count_ * count_, T{0});
    for (std::int64_t i = 0; i < count_; ++i) {
      for (std::int64_t j = 0; j < i; ++j)
        ratios_[i * count_ + j] = ratios_[(i - 1) * count_ + j] * steps_[i * features_];
      ratios_[i * count_ + i] = 1;
    }
  }
  // faded = faded·a_step + factor·row
  void fade_and_add(std::int64_t step, T factor, const T* __restrict row) {
    const T* __restrict decay = steps_ + step * features_;
    T* __restrict faded = faded_;
    for (std::int64_t d = 0; d < features_; ++d) faded[d] = faded[d] * decay[d] + factor * row[d];
  }

  std::int64_t features_, count_ = 0;
  bool per_feature_;
  Scratch<T> memory_;
  T *steps_ = memory_.data(), *from_start_ = steps_ + chunk_steps * features_,
    *to_end_ = from_start_ + chunk_steps * features_, *faded_ = to_end_ + chunk_steps * features_,
    *ratios_ = faded_ + features_;
};

}  // namespace regard::recurrent
