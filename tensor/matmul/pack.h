#pragma once

#include "tensor/loops/patch.h"
#include "tensor/matmul/matrix.h"

namespace regard::matmul_ladder {

// Copies a matrix into dense rows, out[i·out_step + j] = m(i, j), along whichever of its axes is contiguous.
template <class T>
void pack(const Matrix<T>& m, T* out, std::int64_t out_step) {
  loops::copy_patch(out, {m.rows, m.columns, out_step, 1}, m.data, {m.rows, m.columns, m.row_step, m.column_step});
}

}  // namespace regard::matmul_ladder
