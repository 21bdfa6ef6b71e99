#pragma once

#include "tensor/dtype.h"
#include "tensor/matmul/matrix.h"

namespace regard::matmul_ladder {

// c = x·wᵀ, or c += x·wᵀ, for rows x (M, K) of f32 and stored rows w (N, K) of bf16; c (M, N). All rows are contiguous.
//
// A model that writes one token at a time reads all its weights for a single row x. So it is as fast as memory, and
// half the bytes are half the time. A row gives the same bits whether it stands alone or among others.
void multiply_bf16(const Matrix<float>& x, const Matrix<BFloat16>& w, float* c, bool accumulate);

}  // namespace regard::matmul_ladder
