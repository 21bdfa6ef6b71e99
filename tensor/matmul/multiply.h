#pragma once

#include "tensor/matmul/matrix.h"

namespace regard::matmul_ladder {

// c = a·b, or c += a·b: the top of the ladder (engine/threads.h), compiled for f32, f64 and i64. C has contiguous rows,
// c_row_step apart, and overlaps neither a nor b. Called from inside a task it uses that task's thread alone. The
// result is the same, to the last bit, for any number of threads.
template <class T>
void multiply(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate = false);

}  // namespace regard::matmul_ladder
