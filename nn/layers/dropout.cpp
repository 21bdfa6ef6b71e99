#include "nn/layers/dropout.h"

#include "autograd/ops/arithmetic.h"
#include "tensor/random/random.h"

namespace regard::nn {

Dropout::Dropout(double probability, std::uint64_t seed) : p(probability), generator(seed) {
  if (!(p >= 0 && p < 1)) fail<ValueError>("Dropout: p = {} is outside [0, 1): it is the probability to drop", p);
}

Dropout::Dropout(double probability, Generator& seeds) : Dropout(probability, seeds.at(seeds.take(1)).first) {}

Variable Dropout::operator()(const Variable& x) {
  require_defined("Dropout", x);
  if (!training || p == 0) return x;
  return x * Variable(bernoulli(x.shape(), generator, 1 - p, 1 / (1 - p), x.dtype()));
}

}  // namespace regard::nn
