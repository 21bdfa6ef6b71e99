#pragma once

#include "tensor/random/generator.h"
#include "tensor/tensor.h"

namespace regard::gradchecks {

// Random numbers in ±[½, 1½], f64. As none is small, an error in any output shows.
Tensor random_cotangent(const Shape& shape, Generator& generator);

}  // namespace regard::gradchecks
