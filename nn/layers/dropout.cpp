#include "nn/layers/dropout.h"

#include "autograd/ops/arithmetic.h"
#include "tensor/arithmetic.h"
#include "tensor/random.h"

namespace regard::nn {

Dropout::Dropout(double probability, std::uint64_t seed) : p(probability), generator(seed) {
  if (!(p >= 0 && p < 1)) fail<ValueError>("Dropout: p = {} is outside [0, 1): it is the probability to drop", p);
}

Dropout::Dropout(double probability, Generator& seeds) : Dropout(probability, seeds.at(seeds.take(1)).first) {}

Variable Dropout::operator()(const Variable& x) {
  if (!training || p == 0) return x;
  const Tensor kept = greater_equal(uniform(x.shape(), generator, 0, 1, x.dtype()), p);
  return x * Variable(multiply(kept, 1 / (1 - p)));
}

}  // namespace regard::nn
