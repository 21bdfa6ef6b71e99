#include "tensor/loops/vector.h"

namespace regard::loops {

template <>
void library_has_vectors_of_bytes<vector_bytes>() {}

}  // namespace regard::loops
