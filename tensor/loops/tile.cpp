#include "tensor/loops/tile.h"

namespace regard::loops {

void copy_row(DType dtype, void* out, std::int64_t out_step, const void* in, std::int64_t in_step, std::int64_t count) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    copy_row(static_cast<T*>(out), out_step, static_cast<const T*>(in), in_step, count);
  });
}

void copy_tile(DType dtype, void* into, const Tile& target, const void* from, const Tile& source) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    copy_tile(static_cast<T*>(into), target, static_cast<const T*>(from), source);
  });
}

}  // namespace regard::loops
