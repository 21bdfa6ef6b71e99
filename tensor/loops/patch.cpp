#include "tensor/loops/patch.h"

namespace regard::loops {

void copy_row(DType dtype, void* out, std::int64_t out_step, const void* in, std::int64_t in_step, std::int64_t count) {
  dispatch_stored(dtype, [&](auto zero) {
    using T = decltype(zero);
    copy_row(static_cast<T*>(out), out_step, static_cast<const T*>(in), in_step, count);
  });
}

void copy_patch(DType dtype, void* into, const Patch& target, const void* from, const Patch& source) {
  dispatch_stored(dtype, [&](auto zero) {
    using T = decltype(zero);
    copy_patch(static_cast<T*>(into), target, static_cast<const T*>(from), source);
  });
}

}  // namespace regard::loops
