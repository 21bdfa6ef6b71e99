#include "nn/init.h"

#include <cmath>

namespace regard::nn::init {
namespace {

// Uniform numbers in ±b have a variance of b²/3.
Tensor uniform_of_variance(double variance, const Shape& shape, Generator& generator, DType dtype) {
  return uniform(shape, generator, std::sqrt(3 * variance), dtype);
}

double xavier_variance(const Shape& weight, double gain) {
  const Fans f = fans(weight);
  return gain * gain * 2 / static_cast<double>(f.in + f.out);
}

double kaiming_variance(const Shape& weight, double gain) { return gain * gain / static_cast<double>(fans(weight).in); }

}  // namespace

Fans fans(const Shape& weight) {
  if (weight.rank() < 2) fail<ShapeError>("init: {}: a weight has two axes or more, (out, in, …)", weight);
  if (weight.numel() == 0) fail<ShapeError>("init: {}: an empty weight has no variance", weight);
  const std::int64_t window = weight.numel() / (weight[0] * weight[1]);
  return {weight[1] * window, weight[0] * window};
}

Tensor xavier_uniform(const Shape& weight, Generator& generator, double gain, DType dtype) {
  return uniform_of_variance(xavier_variance(weight, gain), weight, generator, dtype);
}
Tensor xavier_normal(const Shape& weight, Generator& generator, double gain, DType dtype) {
  return normal(weight, generator, std::sqrt(xavier_variance(weight, gain)), dtype);
}
Tensor kaiming_uniform(const Shape& weight, Generator& generator, double gain, DType dtype) {
  return uniform_of_variance(kaiming_variance(weight, gain), weight, generator, dtype);
}
Tensor kaiming_normal(const Shape& weight, Generator& generator, double gain, DType dtype) {
  return normal(weight, generator, std::sqrt(kaiming_variance(weight, gain)), dtype);
}

Tensor normal(const Shape& shape, Generator& generator, double deviation, DType dtype) {
  return regard::normal(shape, generator, 0, deviation, dtype);
}
Tensor uniform(const Shape& shape, Generator& generator, double bound, DType dtype) {
  return regard::uniform(shape, generator, -bound, bound, dtype);
}

Tensor layer_default(const Shape& shape, std::int64_t fan_in, Generator& generator, DType dtype) {
  return uniform(shape, generator, 1 / std::sqrt(static_cast<double>(fan_in)), dtype);
}

}  // namespace regard::nn::init
