#include "examples/book/figures.h"
#include "nn/all.h"

#include <fmt/format.h>

#include <algorithm>

namespace regard::book {
namespace {

using nn::GaussianKernel;
using nn::NadarayaWatson;
using nn::RegressionTraining;

// Fifty points on y = 2 sin x + x, with noise of deviation ½.
struct Points {
  Tensor x, y;
};
Tensor truth(const Tensor& x) { return 2 * sin(x) + x; }
Points points(std::uint64_t seed = 7) {
  Generator random(seed);
  const Tensor x = sort(uniform({50}, random, 0, 6, DType::f64), 0);
  return {x, truth(x) + normal({50}, random, 0, 0.5, DType::f64)};
}
NadarayaWatson regression(const Points& data, double width) {
  return NadarayaWatson(GaussianKernel::fixed(width), data.x, data.y);
}

plot::Figure widths() {
  const Points data = points();
  const Tensor grid = linspace(0, 6, 400, DType::f64);
  plot::Figure figure({.columns = 3, .width = 800, .height = 250});
  const std::array<double, 3> all{0.02, 0.3, 3};
  const std::array<const char*, 3> titles{"too narrow: σ = 0.02", "about right: σ = 0.3", "too wide: σ = 3"};
  for (int i = 0; i < 3; ++i) {
    auto fit = regression(data, all[i]);
    figure.axes(0, i)
        .title(titles[i])
        .scatter(data.x, data.y, {.label = i == 0 ? "data" : "", .color = plot::color_of_data, .size = 1.6})
        .line(grid, truth(grid), {.label = "truth", .color = plot::color_of_truth})
        .line(grid, squeeze(fit(grid).output, 1), {.label = "fit", .color = plot::series_color(0), .width = 2})
        .x_label("x")
        .y_range(-1, 7.5);
  }
  return figure;
}

// What each loss says about a width, and what is true: means of twenty sets of points.
struct Errors {
  double leaking = 0, left_out = 0, on_new_data = 0;
};
Errors errors(double width) {
  const int sets = 20;
  Errors mean_of;
  for (int seed = 1; seed <= sets; ++seed) {
    const Points data = points(seed), fresh = points(seed + sets);
    auto fit = regression(data, width);
    mean_of.leaking += fit.loss(RegressionTraining::leaking).item() / sets;
    mean_of.left_out += fit.loss().item() / sets;
    mean_of.on_new_data += mean(square(squeeze(fit(fresh.x).output.value(), 1) - fresh.y)).item() / sets;
  }
  return mean_of;
}

plot::Figure leak() {
  std::vector<double> at, leaking, left_out, on_new_data;
  for (double width = 0.005; width < 3; width *= 1.12) {
    const Errors now = errors(width);
    at.push_back(width);
    leaking.push_back(now.leaking);
    left_out.push_back(now.left_out);
    on_new_data.push_back(now.on_new_data);
  }
  const auto least = std::ranges::min_element(on_new_data) - on_new_data.begin();
  plot::Figure figure({.width = 560, .height = 330});
  figure.axes()
      .line(at, leaking, {.label = "each point sees itself", .color = plot::series_color(1)})
      .line(at, left_out, {.label = "each point is left out", .color = plot::series_color(2)})
      .line(at, on_new_data, {.label = "on new points", .color = plot::series_color(0), .dashed = true})
      .scatter({at[least]}, {on_new_data[least]}, {.color = plot::ink, .size = 3})
      .note(at[least], on_new_data[least] - 0.09, fmt::format("least at {:.2f}", at[least]), plot::Align::end)
      .title("only the leak says: the narrower the better")
      .x_logarithmic()
      .x_label("width σ of the kernel")
      .y_label("mean squared error")
      .y_range(0, 1.2);
  return figure;
}

}  // namespace

std::vector<Picture> figures_01() { return {{"kernel_widths.svg", widths}, {"leak.svg", leak}}; }

}  // namespace regard::book
