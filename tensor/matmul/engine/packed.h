#pragma once

#include "tensor/matmul/matrix.h"
#include "tensor/memory/buffer.h"

namespace regard::matmul_ladder {

// A matrix that many others will be multiplied with, one after another: its panels are copied once, on all threads.
// multiply works on the calling thread alone, and only with tiles: no bit of a row of c depends on how many rows there
// are. c has contiguous rows, c_row_step apart, and overlaps neither operand.
template <class T>
class PackedMatrix {
 public:
  explicit PackedMatrix(const Matrix<T>& b);
  void multiply(const Matrix<T>& a, T* c, std::int64_t c_row_step, bool accumulate = false) const;

 private:
  std::int64_t rows_, columns_;
  TensorBuffer panels_;
};

}  // namespace regard::matmul_ladder
