#include "examples/book/figures.h"
#include "nn/all.h"

#include <fmt/format.h>

#include <cmath>

namespace regard::book {
namespace {

plot::Figure sinusoidal() {
  const Tensor table = nn::sinusoidal_table(51, 32, 0, DType::f64);
  plot::Figure figure({.columns = 2, .width = 800, .height = 310});
  figure.axes(0, 0).heatmap(table, {.title = "left features turn quickly, right ones slowly",
                                    .x = "feature",
                                    .y = "position",
                                    .map = plot::Colormap::diverging,
                                    .square = false});
  figure.axes(0, 1)
      .line(linspace(-25, 25, 51, DType::f64), matmul(table, select(table, 0, 25)), {.width = 2})
      .title("position 25 is most like its neighbours")
      .x_label("distance")
      .y_label("dot product");
  return figure;
}

// What position alone does to the score of a query and a key whose features are all 1.
plot::Figure scores() {
  const std::int64_t distances = 65;
  const Tensor distance = arange(distances, DType::f64);
  plot::Figure figure({.columns = 2, .width = 800, .height = 310});
  const Variable q = ones({1, 64}, DType::f64), k = ones({distances, 64}, DType::f64);
  const nn::AnyScore rotary = nn::Rotary(nn::ScaledDotProduct{}, nn::RotaryLayout::halves);
  const Tensor turned = select(rotary(q, k, 0).value(), 0, 0);
  figure.axes(0, 0)
      .line(distance, turned / turned.at({0}), {.width = 2})
      .title("rotary, 64 features: it falls in waves")
      .x_label("distance")
      .y_label("share of the score at distance 0")
      .y_range(0, 1.05);
  const Tensor slopes = nn::alibi_slopes(4, DType::f64);
  for (std::int64_t head = 0; head < 4; ++head) {
    const double slope = slopes.at({head, 0, 0});
    figure.axes(0, 1).line(distance, -slope * distance, {.label = fmt::format("slope 1/{:.0f}", 1 / slope)});
  }
  figure.axes(0, 1)
      .title("ALiBi: each of 4 heads has its own slope")
      .x_label("distance")
      .y_label("added to the score")
      .y_range(-16.5, 0.5);
  return figure;
}

}  // namespace

std::vector<Picture> figures_08() { return {{"positions.png", sinusoidal}, {"position_scores.svg", scores}}; }

}  // namespace regard::book
