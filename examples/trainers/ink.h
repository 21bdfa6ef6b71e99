#pragma once

#include "examples/plot/axes.h"

#include <cmath>

namespace regard {

// The ink of an image (side, side) of numbers from 0 to 1, as dots over a heatmap of the same area, `cells` cells wide:
// the colours below stay what they are. The largest dots have this radius, in points.
inline void draw_ink(plot::Axes& axes, const Tensor& image, std::int64_t cells, double largest) {
  const std::int64_t side = image.size(0);
  const auto cell_of = [&](std::int64_t pixel) {
    return (static_cast<double>(pixel) + 0.5) * static_cast<double>(cells) / static_cast<double>(side) - 0.5;
  };
  for (std::int64_t row = 0; row < side; ++row)
    for (std::int64_t column = 0; column < side; ++column)
      if (const double ink = image.at({row, column}); ink > 0)
        axes.scatter({cell_of(column)}, {cell_of(row)}, {.color = plot::ink, .size = largest * std::sqrt(ink)});
}

}  // namespace regard
