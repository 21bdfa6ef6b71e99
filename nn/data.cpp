#include "nn/data.h"

namespace regard::nn {

std::int64_t row_count(const char* operation, const Tensor* tensors, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    if (tensors[k].rank() == 0) fail<ShapeError>("{}: tensor {} is a single number and has no rows", operation, k);
    if (tensors[k].size(0) != tensors[0].size(0))
      fail<ShapeError>("{}: tensors {} and {} differ in their first axis", operation, tensors[0].shape(),
                       tensors[k].shape());
  }
  return tensors[0].size(0);
}

}  // namespace regard::nn
