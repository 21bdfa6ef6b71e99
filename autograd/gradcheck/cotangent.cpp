#include "autograd/gradcheck/cotangent.h"

#include "tensor/create.h"
#include "tensor/random/random.h"

namespace regard::gradchecks {

Tensor random_cotangent(const Shape& shape, Generator& generator) {
  const Tensor u = uniform(shape, generator, -1, 1, DType::f64);
  std::vector<double> values = to_vector(u);
  for (double& value : values) value += value < 0 ? -0.5 : 0.5;
  return tensor(values, shape, DType::f64);
}

}  // namespace regard::gradchecks
