#pragma once

#include "examples/plot/image.h"

#include <array>
#include <cstdint>
#include <vector>

namespace regard::plot {

// A picture by numbers: at most 256 colours, and for each pixel which of them it has. A byte instead of three, and far
// easier to compress.
struct Indexed {
  std::vector<std::array<std::uint8_t, 3>> colours;
  std::vector<std::uint8_t> pixels;  // row by row
};

// Of 256 colours or fewer each stays as it is. Of more, those that fill most of the picture do; the others, which are
// mostly the smooth edges of lines and letters, share what is left of the 256 (see indexed.cpp).
Indexed indexed(const Image& image);

}  // namespace regard::plot
