#include "nn/layers/pool.h"

#include "autograd/ops/join.h"
#include "autograd/ops/reduce.h"

#include <limits>

namespace regard::nn {
namespace {

Window2d window_of(const char* layer, const PoolOptions& o) {
  const Window2d window{o.kernel, o.stride.value_or(o.kernel), o.padding};
  require_window(layer, window);
  if (2 * o.padding.height > o.kernel.height || 2 * o.padding.width > o.kernel.width)
    fail<ValueError>("{}: padding = ({}, {}) is more than half of the kernel ({}, {})", layer, o.padding.height,
                     o.padding.width, o.kernel.height, o.kernel.width);
  return window;
}

// (kernel elements, B, C, H′, W′)
Variable windows(const char* layer, const Variable& x, const Window2d& window, double margin) {
  require_defined(layer, x);
  if (x.rank() != 4) fail<ShapeError>("{}: {}: needs (B, C, H, W)", layer, x.shape());
  return stack(window_elements(layer, x, window, margin), 0);
}

}  // namespace

MaxPool2d::MaxPool2d(const PoolOptions& o) : window(window_of("MaxPool2d", o)) {}
AvgPool2d::AvgPool2d(const PoolOptions& o) : window(window_of("AvgPool2d", o)) {}

Variable MaxPool2d::operator()(const Variable& x) const {
  return max(windows("MaxPool2d", x, window, -std::numeric_limits<double>::infinity()), 0);
}
Variable AvgPool2d::operator()(const Variable& x) const { return mean(windows("AvgPool2d", x, window, 0), 0); }

}  // namespace regard::nn
