#pragma once

#include "autograd/ops/arithmetic.h"
#include "nn/module.h"

namespace regard::nn {

// The table of sinusoidal positions, (count, size), for positions offset, offset + 1, …:
//
//   P(i, 2j) = sin(i·ωⱼ)     P(i, 2j + 1) = cos(i·ωⱼ)     ωⱼ = 10000^(−2j/size)
//
// A clock with many hands. To move on by δ is to turn each pair [sin; cos] by the matrix [[cos δω, sin δω], [−sin δω,
// cos δω]], wherever it stands: so distances can be read off by a linear map. If the size is odd, the last hand has
// only a sine.
Tensor sinusoidal_table(std::int64_t count, std::int64_t size, std::int64_t offset = 0, DType dtype = DType::f32);

// x + P, for x (…, L, E) whose first row stands at position `offset`. Nothing is learned.
struct SinusoidalPositions {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x, std::int64_t offset = 0) const {
    require_defined("SinusoidalPositions", x);
    return x + Variable(sinusoidal_table(x.size(-2), x.size(-1), offset, x.dtype()));
  }
};

}  // namespace regard::nn
