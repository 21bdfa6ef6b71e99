#pragma once

#include "autograd/variable.h"

namespace regard::nn {

// A size along both axes of a picture: .kernel = 3 is 3 × 3, .kernel = {1, 5} is 1 high and 5 wide.
struct Extent2d {
  std::int64_t height, width;

  Extent2d(std::int64_t both) : height(both), width(both) {}  // NOLINT: implicit
  Extent2d(std::int64_t h, std::int64_t w) : height(h), width(w) {}
};

// A window that moves over a picture in strides. Its elements lie `dilation` apart; around the picture is a margin.
struct Window2d {
  Extent2d kernel, stride = 1, padding = 0, dilation = 1;
};
void require_window(const char* layer, const Window2d& window);

// All windows on x (…, …, H, W), as a list of kernel height × width views: view i holds element i of every window,
// (…, …, H′, W′), for  H′ = ⌊(H + 2·padding − dilation·(kernel − 1) − 1)/stride⌋ + 1  window positions, and W′
// likewise.
std::vector<Variable> window_elements(const char* layer, const Variable& x, const Window2d& window, double margin);

}  // namespace regard::nn
