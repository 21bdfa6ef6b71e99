#include "examples/book/figures.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace regard::book {
namespace {

// The loss of three tokens as a function of one number of a query: see chapter 6. T says with how many digits.
template <class T>
T loss(T t) {
  const T w = 2 * std::exp(t / std::sqrt(T(2)));
  return 90 + 180 / ((1 + w) * (1 + w));
}

struct Errors {
  std::vector<double> steps, one_side, both_sides;
};

// How far measured slopes are off. One that happens to be right to the last digit cannot be drawn on this scale.
template <class T>
Errors errors(double narrowest) {
  const double right = -80 / (3 * std::sqrt(2.0));
  Errors all;
  for (double h = narrowest; h <= 1; h *= 1.2) {
    const T step = static_cast<T>(h);
    const double up = loss<T>(step), here = loss<T>(0), down = loss<T>(-step);
    all.steps.push_back(h);
    all.one_side.push_back(std::max(1e-13, std::abs((up - here) / step - right)));
    all.both_sides.push_back(std::max(1e-13, std::abs((up - down) / (2 * step) - right)));
  }
  return all;
}

plot::Figure v_curve() {
  const std::array<Errors, 2> found{errors<double>(1e-13), errors<float>(1e-6)};
  const std::array<const char*, 2> titles{"with 16 digits (f64)", "with 7 digits (f32)"};
  plot::Figure figure({.columns = 2, .width = 800, .height = 330});
  for (int i = 0; i < 2; ++i)
    figure.axes(0, i)
        .line(found[i].steps, found[i].one_side, {.label = "to the right", .color = plot::series_color(1)})
        .line(found[i].steps, found[i].both_sides, {.label = "to both sides", .color = plot::series_color(0)})
        .note(0.01, 0.1, "∝ h", plot::Align::end)
        .note(0.02, 3e-5, "∝ h²")
        .title(titles[i])
        .x_logarithmic()
        .y_logarithmic()
        .x_label("step h")
        .y_label("error of the slope")
        .x_range(1e-13, 1)
        .y_range(1e-11, 1e2);
  return figure;
}

}  // namespace

std::vector<Picture> figures_06() { return {{"v_curve.svg", v_curve}}; }

}  // namespace regard::book
