#include "nn/init.h"

#include <cmath>

namespace regard::nn::init {

Fans fans(const Shape& weight) {
  if (weight.rank() < 2) fail<ShapeError>("init: {}: a weight has two axes or more, (out, in, …)", weight);
  if (weight.numel() == 0) fail<ShapeError>("init: {}: an empty weight has no variance", weight);
  const std::int64_t window = weight.numel() / (weight[0] * weight[1]);
  return {weight[1] * window, weight[0] * window};
}

// Uniform numbers in ±b have a variance of b²/3.
Tensor xavier_uniform(const Shape& weight, Generator& generator, double gain, DType dtype) {
  const Fans f = fans(weight);
  const double bound = std::sqrt(3 * (gain * gain * 2 / static_cast<double>(f.in + f.out)));
  return uniform(weight, generator, -bound, bound, dtype);
}
Tensor kaiming_normal(const Shape& weight, Generator& generator, double gain, DType dtype) {
  return normal(weight, generator, 0, std::sqrt(gain * gain / static_cast<double>(fans(weight).in)), dtype);
}

Tensor layer_default(const Shape& shape, std::int64_t fan_in, Generator& generator, DType dtype) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  return uniform(shape, generator, -bound, bound, dtype);
}

}  // namespace regard::nn::init
