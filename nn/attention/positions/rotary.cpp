#include "nn/attention/positions/rotary.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "tensor/create.h"

#include <cmath>

namespace regard::nn {
namespace {

struct Turn {
  Tensor cosine, sine;  // (L, D): for each feature those of the angle of its pair
};

Turn turn(std::int64_t count, std::int64_t size, std::int64_t offset, RotaryLayout layout, double base, DType dtype) {
  std::vector<double> cosine, sine;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t c = 0; c < size; ++c) {
      const std::int64_t pair = layout == RotaryLayout::interleaved ? c / 2 : c % (size / 2);
      const double frequency = std::pow(base, -2 * static_cast<double>(pair) / static_cast<double>(size));
      const double angle = static_cast<double>(offset + i) * frequency;
      cosine.push_back(std::cos(angle));
      sine.push_back(std::sin(angle));
    }
  return {tensor(cosine, {count, size}, dtype), tensor(sine, {count, size}, dtype)};
}

// Each pair (a, b) → (−b, a): turned by a right angle.
Variable quarter_turn(const Variable& x, RotaryLayout layout) {
  if (layout == RotaryLayout::halves) {
    const std::int64_t half = x.size(-1) / 2;
    return cat({-slice(x, -1, half), slice(x, -1, 0, half)}, -1);
  }
  const Variable a = slice(x, -1, 0, to_end, 2), b = slice(x, -1, 1, to_end, 2);
  return reshape(stack({-b, a}, -1), x.shape());
}

}  // namespace

// (a, b) → (a·cos − b·sin, b·cos + a·sin)
Variable rotate(const Variable& x, std::int64_t offset, RotaryLayout layout, double base) {
  if (x.rank() < 2 || x.size(-1) % 2 != 0)
    fail<ShapeError>("rotate: {}: it must be (…, L, D) with D even, since features are turned in pairs", x.shape());
  const Turn by = turn(x.size(-2), x.size(-1), offset, layout, base, x.dtype());
  return x * Variable(by.cosine) + quarter_turn(x, layout) * Variable(by.sine);
}

}  // namespace regard::nn
