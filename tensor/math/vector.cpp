#include "tensor/math/vector.h"

namespace regard::math {

template <>
void library_has_vectors_of_bytes<vector_bytes>() {}

}  // namespace regard::math
