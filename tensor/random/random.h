#pragma once

#include "tensor/random/generator.h"
#include "tensor/tensor.h"

namespace regard {

// Element i of the result is drawn at position i of the generator's stream, so it is the same for any thread count.
Tensor uniform(const Shape& shape, Generator& generator, double low = 0, double high = 1, DType dtype = DType::f32);
Tensor normal(const Shape& shape, Generator& generator, double mean = 0, double deviation = 1,
              DType dtype = DType::f32);

// `value` with probability p, else 0. Four elements share a position of the stream.
Tensor bernoulli(const Shape& shape, Generator& generator, double p, double value = 1, DType dtype = DType::f32);

// Whole numbers (i64) in [low, high), each as likely as the others to within (high − low)/2⁶⁴.
Tensor randint(const Shape& shape, Generator& generator, std::int64_t low, std::int64_t high);

Tensor permutation(std::int64_t n, Generator& generator);  // 0 … n − 1 (i64) in random order

}  // namespace regard
