#include "examples/book/figures.h"
#include "nn/all.h"

namespace regard::book {
namespace {

plot::Figure tails() {
  const Tensor distance = linspace(0, 6, 300, DType::f64);
  const Tensor u = square(distance);
  plot::Figure figure({.width = 560, .height = 330});
  auto& axes = figure.axes();
  for (const double p : {0.5, 1.0, 2.0, 4.0})
    axes.line(distance, pow(1 + u, -p), {.label = fmt::format("p = {}", p), .width = 2});
  axes.line(distance, exp(u * -0.5), {.label = "Gauss", .color = plot::color_of_bound, .dashed = true})
      .x_label("distance of query and key")
      .y_label("power")
      .title("beyond 5.2 the bell of Gauss is below them all")
      .y_logarithmic()
      .y_range(1e-8, 1.5);
  return figure;
}

}  // namespace

std::vector<Picture> figures_18() { return {{"tails.svg", tails}}; }

}  // namespace regard::book
