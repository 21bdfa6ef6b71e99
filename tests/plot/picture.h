#pragma once

#include "examples/plot/figure.h"
#include "examples/plot/layout.h"

#include <array>
#include <cmath>
#include <string>

namespace regard::plot {

using Rgb = std::array<int, 3>;

inline Rgb rgb_of(const Color& c) {
  return {static_cast<int>(std::lround(255 * c.red)), static_cast<int>(std::lround(255 * c.green)),
          static_cast<int>(std::lround(255 * c.blue))};
}

// A picture that went through a PNG file, as anybody would see it.
Image saved_and_read(const Figure& figure);

// The inner edges, in pixels, of the first frame around data: the first long lines of ink from the left and the top.
struct Frame {
  int left, top, right, bottom;

  // The colour at a place within the frame, (0, 0) its left upper corner.
  Rgb at(const Image& image, double x, double y) const;
};
Frame frame_of(const Image& image);

// Whether the text stands somewhere in the picture, in ink on something light.
bool shows(const Image& image, const std::string& text, double points, bool upwards = false);

// The share of a frame's inside that is white or a line of the grid: all of it where there is no data, none in a black
// box.
double empty_share(const Image& image, const Frame& frame);

int count_pixels(const Image& image, const Rgb& color);

}  // namespace regard::plot
