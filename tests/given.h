#pragma once

#include "tensor/all.h"

#include <cmath>

// What many tests start from.

namespace regard {

inline constexpr double inf = INFINITY, nan = NAN;

inline Tensor f64(const Nested& data) { return tensor(data, DType::f64); }

inline Tensor noise(const Shape& shape, std::uint64_t seed = 1, DType dtype = DType::f64, double deviation = 1) {
  Generator generator(seed);
  return normal(shape, generator, 0, deviation, dtype);
}

}  // namespace regard
