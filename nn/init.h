#pragma once

#include "tensor/create.h"
#include "tensor/random/random.h"

namespace regard::nn::init {

// How weights start. A layer sums fan_in products, so the variance of its outputs is fan_in · Var(w) · Var(x), and that
// of the gradients it sends back has fan_out instead. A deep network keeps its signals alive if both factors are about
// 1.
//
// The functions return tensors:  assign(layer.weight, init::kaiming_normal(layer.weight.shape(), generator));

// Of a weight (out, in, …): in and out, times the number of elements of a window where there is one.
struct Fans {
  std::int64_t in, out;
};
Fans fans(const Shape& weight);

// Glorot and Bengio: a compromise between both directions, Var(w) = gain² · 2/(fan_in + fan_out).
Tensor xavier_uniform(const Shape& weight, Generator& generator, double gain = 1, DType dtype = DType::f32);

// He et al.: forward only, Var(w) = gain²/fan_in. relu drops half of the signal, which a gain of √2 makes up for.
inline constexpr double relu_gain = 1.4142135623730951;
Tensor kaiming_normal(const Shape& weight, Generator& generator, double gain = relu_gain, DType dtype = DType::f32);

// What Linear, Conv1d and Conv2d start from, weight and bias alike: uniform in ±1/√fan_in, a variance of 1/(3·fan_in).
Tensor layer_default(const Shape& shape, std::int64_t fan_in, Generator& generator, DType dtype);

}  // namespace regard::nn::init
