#include "tensor/loops/patch.h"

namespace regard::loops {

void copy_patch(DType dtype, void* into, const Patch& target, const void* from, const Patch& source) {
  dispatch_stored(dtype,
                  [&]<class T>(T) { copy_patch(static_cast<T*>(into), target, static_cast<const T*>(from), source); });
}

}  // namespace regard::loops
