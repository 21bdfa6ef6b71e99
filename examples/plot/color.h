#pragma once

#include <cstddef>
#include <cstdint>

namespace regard::plot {

struct Color {
  double red, green, blue;  // 0 … 1
  double alpha = 1;         // 0: invisible, 1: covers what is below

  Color with_alpha(double a) const { return {red, green, blue, a}; }
};

// 0x1f77b4 is a blue.
constexpr Color hex(std::uint32_t rgb) {
  return {((rgb >> 16) & 255) / 255.0, ((rgb >> 8) & 255) / 255.0, (rgb & 255) / 255.0};
}

inline constexpr Color white = hex(0xffffff), black = hex(0x000000), ink = hex(0x262626), faint = hex(0xe2e2e2);
inline constexpr Color not_a_number = hex(0x9a9a9a);  // in no map below but gray, in which it is rare enough

// The colours of lines that ask for none: blue, orange, bluish green, dark red, and six more. The first six differ in
// lightness or between blue and yellow as well, so that they are told apart by those who see no difference between red
// and green, one man in twelve.
Color series_color(std::size_t i);

// How numbers become colours.
enum class Colormap {
  reds,       // white to dark red: how much
  viridis,    // dark violet to yellow, and as many steps of lightness for the eye as there are in the numbers
  diverging,  // blue, white, red: signed numbers, with white for 0
  gray,       // white to black: images
};

Color color_at(Colormap map, double t);  // t in [0, 1], what is beyond is cut; NaN gets the colour not_a_number

double lightness(const Color& color);  // 0 … 1, as the eye weighs the three parts

}  // namespace regard::plot
