#include "tensor/matmul/ladder.h"

#include "tensor/matmul/1_naive.h"
#include "tensor/matmul/2_loop_order.h"
#include "tensor/matmul/3_blocks.h"
#include "tensor/matmul/4_packing.h"
#include "tensor/matmul/5_register_tiles.h"
#include "tensor/matmul/engine/threads.h"

namespace regard::matmul_ladder {

template <class T>
std::vector<Rung<T>> ladder() {
  const auto alone = [](const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t step) {
    every_shape(a, b, c, step, false, true);
  };
  const auto all_threads = [](const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t step) {
    threads(a, b, c, step, false);
  };
  const auto in_rows = [](const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t step) {
    loop_order(a, b, c, step);
  };
  return {{"1_naive", naive<T>},
          {"2_loop_order", in_rows},
          {"3_blocks", blocks<T>},
          {"4_packing", packing<T>},
          {"5_register_tiles", register_tiles<T>},
          {"engine/every_shape", alone},
          {"engine/threads", all_threads}};
}

template std::vector<Rung<float>> ladder();
template std::vector<Rung<double>> ladder();

}  // namespace regard::matmul_ladder
