#include "autograd/gradcheck/cotangent.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/random/random.h"

namespace regard::gradchecks {

Tensor random_cotangent(const Shape& shape, Generator& generator) {
  const Tensor u = uniform(shape, generator, -1, 1, DType::f64);
  return where(less(u, 0), u - 0.5, u + 0.5);
}

}  // namespace regard::gradchecks
