#include "nn/layers/window.h"

#include "autograd/ops/join.h"
#include "autograd/ops/view.h"

namespace regard::nn {
namespace {

// Along one axis: view i holds element i of every window.
std::vector<Variable> along(const Variable& x, int axis, std::int64_t kernel, std::int64_t stride,
                            std::int64_t dilation) {
  const std::int64_t count = (x.size(axis) - dilation * (kernel - 1) - 1) / stride + 1;
  std::vector<Variable> views;
  for (std::int64_t i = 0; i < kernel; ++i) {
    const std::int64_t begin = i * dilation;
    views.push_back(slice(x, axis, begin, begin + (count - 1) * stride + 1, stride));
  }
  return views;
}

}  // namespace

void require_window(const char* layer, const Window2d& w) {
  const auto require = [layer](const char* name, Extent2d e, std::int64_t least) {
    if (e.height < least || e.width < least)
      fail<ValueError>("{}: {} = ({}, {}) must be {} or more", layer, name, e.height, e.width, least);
  };
  require("kernel", w.kernel, 1);
  require("stride", w.stride, 1);
  require("padding", w.padding, 0);
  require("dilation", w.dilation, 1);
}

std::vector<Variable> window_elements(const char* layer, const Variable& x, const Window2d& w, double margin) {
  const AxisPadding rows{w.padding.height, w.padding.height}, columns{w.padding.width, w.padding.width};
  const bool has_margin = w.padding.height > 0 || w.padding.width > 0;
  const Variable padded = has_margin ? pad(x, {{}, {}, rows, columns}, margin) : x;
  const std::int64_t height = w.dilation.height * (w.kernel.height - 1) + 1;
  const std::int64_t width = w.dilation.width * (w.kernel.width - 1) + 1;
  if (padded.size(2) < height || padded.size(3) < width)
    fail<ShapeError>("{}: a window of {} × {} does not fit into {} × {} (with the padding)", layer, height, width,
                     padded.size(2), padded.size(3));
  std::vector<Variable> elements;
  for (const Variable& row : along(padded, 2, w.kernel.height, w.stride.height, w.dilation.height))
    for (const Variable& element : along(row, 3, w.kernel.width, w.stride.width, w.dilation.width))
      elements.push_back(element);
  return elements;
}

}  // namespace regard::nn
