#pragma once

#include "tensor/matmul/matrix.h"

#include <vector>

namespace regard::matmul_ladder {

// The way from the definition to the product that is used, rung by rung, for tests and benchmarks. Each computes the
// same c = a·b; they are f32 and f64 alike.
template <class T>
struct Rung {
  const char* name;
  void (*multiply)(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step);
};

template <class T>
std::vector<Rung<T>> ladder();

}  // namespace regard::matmul_ladder
