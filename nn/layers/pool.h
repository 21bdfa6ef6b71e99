#pragma once

#include "nn/layers/window.h"
#include "nn/module.h"

namespace regard::nn {

struct PoolOptions {
  Extent2d kernel;
  std::optional<Extent2d> stride = std::nullopt;  // the kernel, so that windows lie side by side
  Extent2d padding = 0;                           // at most half of the kernel
};

// x (B, C, H, W) → (B, C, H′, W′): of each window of each channel the largest number; the margin counts as −∞. Where
// several are largest they share the gradient.
struct MaxPool2d {
  Window2d window;
  explicit MaxPool2d(const PoolOptions& options);
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const;
};

}  // namespace regard::nn
