#include "tensor/loops/vector.h"

namespace regard::kernels {

template <>
void library_has_vectors_of_bytes<vector_bytes>() {}

}  // namespace regard::kernels
