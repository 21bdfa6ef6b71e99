// Colours of lines are told apart, also by those who see no difference between red and green.
#include "examples/plot/color.h"
#include "examples/plot/palette.h"

#include "tests/catch.h"

#include <array>
#include <cmath>
#include <cstdint>

using namespace regard::plot;

namespace {

using Three = std::array<double, 3>;

double linear(double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); }  // light, not voltage

Three times(const std::array<Three, 3>& matrix, const Three& x) {
  Three result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * x[j];
  return result;
}

constexpr std::array<Three, 3> all_cones{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
// Without the cones for green: Viénot, Brettel and Mollon 1999, on linear RGB.
constexpr std::array<Three, 3> deuteranopia{{{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}}};

// CIELAB: lightness, red against green, blue against yellow, in steps of about the same size for the eye. White is D65.
Three lab(const Color& color, const std::array<Three, 3>& eye) {
  constexpr std::array<Three, 3> to_xyz{
      {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
  const Three xyz = times(to_xyz, times(eye, {linear(color.red), linear(color.green), linear(color.blue)}));
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Color& a, const Color& b, const std::array<Three, 3>& eye) {
  const Three p = lab(a, eye), q = lab(b, eye);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

}  // namespace

TEST_CASE("Distances between colours are those of CIELAB, and red and green are near without the cones for green") {
  CHECK(distance(white, black, all_cones) == Approx(100).margin(0.1));
  CHECK(distance(white, black, deuteranopia) == Approx(100).margin(0.5));
  CHECK(distance(hex(0x2ca02c), hex(0xd62728), all_cones) > 100);
  CHECK(distance(hex(0x2ca02c), hex(0xd62728), deuteranopia) < 10);
}

TEST_CASE("The first colours of lines are told apart, with and without the cones for green") {
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(distance(series_color(i), white, deuteranopia) > 30);
    for (std::size_t j = 0; j < i; ++j) {
      CAPTURE(i, j);
      const double least = i < 4 ? 35 : 25;
      CHECK(distance(series_color(i), series_color(j), all_cones) > least);
      CHECK(distance(series_color(i), series_color(j), deuteranopia) > least);
    }
  }
}

// Viridis goes from blue to yellow, so that one without these cones sees a grey on the way: not for masked weights.
TEST_CASE("The colour of what is missing is not in the maps for weights, with and without the cones for green") {
  for (const Colormap map : {Colormap::reds, Colormap::diverging})
    for (int i = 0; i <= 100; ++i) {
      CAPTURE(i, static_cast<int>(map));
      CHECK(distance(color_at(map, i / 100.0), not_a_number, all_cones) > 10);
      CHECK(distance(color_at(map, i / 100.0), not_a_number, deuteranopia) > 10);
    }
}
