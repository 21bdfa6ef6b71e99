#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace regard::plot {

// Text in the one font there is, DejaVu Sans: Latin, Greek and mathematical letters, given as UTF-8.

struct TextSize {
  double width, ascent, descent;  // above and below the line on which letters stand, both positive
};

TextSize measure(std::string_view text, double size);  // size: the height of a line of capitals with accents, in pixels

// How much of each pixel is covered by a line of text, 0 … 255.
struct TextMask {
  int width = 0, height = 0;
  int baseline = 0;  // the row on which letters stand
  std::vector<std::uint8_t> coverage;
};

TextMask render(std::string_view text, double size);

}  // namespace regard::plot
