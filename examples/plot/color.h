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

// The colours of lines that ask for none, again and again: series_colors in palette.h.
Color series_color(std::size_t i);

// How numbers become colours.
enum class Colormap {
  reds,     // white to dark red: how much
  weights,  // the same for weights of attention: always from 0 to 1, by the square root, so that 0.05 is seen beside 1
  viridis,  // dark violet to yellow, and as many steps of lightness for the eye as there are in the numbers
  diverging,  // blue, white, red: signed numbers, with white for 0
  gray,       // white to black: images
};

Color color_at(Colormap map,
               double t);  // t in [0, 1], what is beyond is cut; NaN gets the colour not_a_number of palette.h

double lightness(const Color& color);  // 0 … 1, as the eye weighs the three parts
Color readable(Color color);           // dark enough for words on white

}  // namespace regard::plot
