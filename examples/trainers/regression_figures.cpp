#include "examples/trainers/regression_figures.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace regard::regression {

plot::Color color_of(int estimator) { return plot::series_color(static_cast<std::size_t>(estimator) - 2); }

// The three that learn: a and b stay what they are.
plot::Figure fits(Experiment& ex) {
  const std::vector<double> errors = ex.errors();
  const bool known = ex.truth.defined();
  plot::Figure figure({.columns = 3, .width = 1100, .height = 350, .title = title_of_fits(errors, known)});
  const double end = known ? 6 : width;  // of the curve a few waves, so that they are seen
  const Tensor grid = linspace(0, end, 600), y = ex.units.y(ex.y), drawn = where(less_equal(ex.x, end), y, y.at({0}));
  const double low = min(drawn).item(), high = max(drawn).item(), room = 0.05 * (high - low);
  for (int i = 2; i < 5; ++i) {
    plot::Axes& axes =
        figure.axes(0, i - 2)
            .x_range(ex.units.x_low, ex.units.x_low + end * ex.units.x_scale)
            .y_range(low - room, high + room)
            .title(fmt::format("{}: error {}{}", ex.all[i].name, short_number(errors[i]), ex.units.of_y));
    const bool first = i == 2, last = i == 4;  // what all three have is named once
    axes.scatter(ex.units.x(ex.x), y,
                 {.label = first ? "data" : "", .color = plot::color_of_data, .size = 1.5, .alpha = 0.7});
    if (known)
      axes.line(ex.units.x(ex.test_x), ex.units.y(ex.truth),
                {.label = last ? "truth" : "", .color = plot::color_of_truth, .width = 1.2});
    axes.line(ex.units.x(grid), ex.units.y(ex.all[i].predict(grid)), {.color = color_of(i), .width = 2});
    axes.x_label(ex.units.x_label);
  }
  figure.axes().y_label(ex.units.y_label);
  return figure;
}

Tensor corner_queries() {
  const auto count = static_cast<std::int64_t>(std::lround(last_query / bin));
  return linspace(bin / 2, last_query - bin / 2, count);
}

Tensor in_bins(const Tensor& weights, const Tensor& x) {
  const auto bins = static_cast<std::int64_t>(std::lround(last_key / bin));
  std::vector<double> marks(static_cast<std::size_t>(x.numel() * bins));  // (n, bins): which key is in which bin
  std::int64_t key = 0;
  for (const double at : to_vector(x)) {
    if (const auto i = static_cast<std::int64_t>(at / bin); i < bins)
      marks[static_cast<std::size_t>(key * bins + i)] = 1;
    ++key;
  }
  return matmul(weights, tensor(marks, {x.numel(), bins}, weights.dtype()));
}

plot::HeatmapOptions corner_options(const Units& units) {
  const auto up_to = [&](double end) { return plot::Range{units.x_low, units.x_low + end * units.x_scale}; };
  return {.x = "keys: " + units.x_label,
          .y = "queries: " + units.x_label,
          .x_edges = up_to(last_key),
          .y_edges = up_to(last_query),
          .map = plot::Colormap::weights,
          .bar_label = fmt::format("weight in a bin of {}", bin * units.x_scale)};
}

plot::Figure weights(Experiment& ex) {
  plot::Figure figure({.columns = 2,
                       .width = 620,
                       .height = 320,
                       .title = title_of_weights(keys_seen_by_queries(ex)),
                       .shared_colors = true});
  for (int i = 1; i < 3; ++i) {
    plot::HeatmapOptions options = corner_options(ex.units);
    options.title = ex.all[i].name;
    figure.axes(0, i - 1).heatmap(in_bins(ex.all[i].weights(corner_queries()), ex.x), options);
  }
  return figure;
}

double least_drawn(Experiment& ex) {
  double least = 1;
  for (int i = 1; i < 3; ++i)
    least = std::min(least, min(sum(in_bins(ex.all[i].weights(corner_queries()), ex.x), 1)).item());
  return least;
}

std::vector<double> keys_seen_by_queries(Experiment& ex) {
  std::vector<double> result;
  for (int i = 1; i < 5; ++i) result.push_back(keys_seen(ex.all[i].weights(linspace(0, width, 100))));
  return result;
}
std::vector<Losses> losses_of(const Experiment& ex) {
  std::vector<Losses> result;
  for (int i = 2; i < 5; ++i) result.push_back({ex.all[i].name, ex.epochs, ex.all[i].losses, ex.all[i].held_out});
  return result;
}

plot::Figure losses(Experiment& ex) {
  const std::string unit = ex.units.of_y.empty() ? "" : ex.units.of_y + "²";
  plot::Figure figure({.columns = 2, .width = 900, .height = 360, .title = title_of_losses(losses_of(ex), unit)});
  plot::Range range;
  for (const Losses& model : losses_of(ex))
    for (const auto* numbers : {&model.training, &model.held_out})
      for (const double loss : *numbers) range.include(loss);
  for (int column = 0; column < 2; ++column) {
    plot::Axes& axes = figure.axes(0, column).x_label("epoch").x_logarithmic().y_range(0, 1.05 * range.high);
    axes.title(column == 0 ? "mean squared error in training" : "mean squared error on held-out data");
    axes.y_label(unit.empty() ? "" : unit.substr(1));
    for (int i = 2; i < 5; ++i)
      axes.line(ex.epochs, column == 0 ? ex.all[i].losses : ex.all[i].held_out,
                {.label = ex.all[i].name, .color = color_of(i), .width = 2});
    if (ex.truth.defined())
      axes.line({ex.epochs.front(), ex.epochs.back()}, {noise * noise, noise * noise},
                {.label = "variance of the noise", .color = plot::color_of_bound, .dashed = true});
  }
  return figure;
}

}  // namespace regard::regression
