#include "tensor/matmul/multiply.h"

#include "tensor/matmul/2_loop_order.h"
#include "tensor/matmul/engine/threads.h"

namespace regard::matmul_ladder {

template void multiply_panel(const Matrix<float>&, const Matrix<float>&, float*, std::int64_t, bool);
template void multiply_panel(const Matrix<double>&, const Matrix<double>&, double*, std::int64_t, bool);

template <class T>
void multiply(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate) {
  threads(a, b, c, c_row_step, accumulate);
}

template void multiply(const Matrix<float>&, const Matrix<float>&, float*, std::int64_t, bool);
template void multiply(const Matrix<double>&, const Matrix<double>&, double*, std::int64_t, bool);

// Whole numbers index; they are seldom multiplied. The second rung will do.
template <>
void multiply(const Matrix<std::int64_t>& a, const Matrix<std::int64_t>& b, std::int64_t* c, std::int64_t c_row_step,
              bool accumulate) {
  parallel_for(a.rows, 16, [&](std::int64_t begin, std::int64_t end) {
    loop_order(a.block(begin, 0, end - begin, a.columns), b, c + begin * c_row_step, c_row_step, accumulate);
  });
}

}  // namespace regard::matmul_ladder
