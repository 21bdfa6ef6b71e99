#include "nn/layers/pool.h"

#include "autograd/ops/join.h"
#include "autograd/ops/reduce.h"

#include <limits>

namespace regard::nn {

MaxPool2d::MaxPool2d(const PoolOptions& o) : window{o.kernel, o.stride.value_or(o.kernel), o.padding} {
  require_window("MaxPool2d", window);
  if (2 * o.padding.height > o.kernel.height || 2 * o.padding.width > o.kernel.width)
    fail<ValueError>("MaxPool2d: padding = ({}, {}) is more than half of the kernel ({}, {})", o.padding.height,
                     o.padding.width, o.kernel.height, o.kernel.width);
}

Variable MaxPool2d::operator()(const Variable& x) const {
  require_defined("MaxPool2d", x);
  if (x.rank() != 4) fail<ShapeError>("MaxPool2d: {}: needs (B, C, H, W)", x.shape());
  const double margin = -std::numeric_limits<double>::infinity();
  return max(stack(window_elements("MaxPool2d", x, window, margin), 0), 0);
}

}  // namespace regard::nn
