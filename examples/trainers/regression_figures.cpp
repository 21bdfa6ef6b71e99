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

namespace {

const char* const letters = "abcde";

std::string lettered(const Experiment& ex, int i) { return fmt::format("{}  {}", letters[i], ex.all[i].name); }

double query_at(int row) { return width * (0.15 + 0.35 * row); }

plot::Range edges_of(const Experiment& ex) { return {ex.units.x_low, ex.units.x_low + width * ex.units.x_scale}; }

}  // namespace

// Colours that can be told apart by those who see no red or no green.
plot::Color color_of(int estimator) {
  static constexpr plot::Color colors[] = {plot::hex(0xe69f00), plot::hex(0x56b4e9), plot::hex(0x0072b2),
                                           plot::hex(0xd55e00), plot::hex(0xcc79a7)};
  return colors[estimator];
}

plot::Figure fits(Experiment& ex) {
  const std::string title = fmt::format("after {} epochs", ex.epoch);
  plot::Figure figure({.rows = 3, .columns = 2, .width = 900, .height = 900, .title = title});
  const Tensor grid = linspace(0, width, 600), y = ex.units.y(ex.y);
  const std::vector<double> errors = ex.errors();
  const double low = min(y).item(), high = max(y).item(), room = 0.05 * (high - low);
  for (int i = 0; i < 5; ++i) {
    plot::Axes& axes = figure.axes(i / 2, i % 2).y_range(low - room, high + room);
    axes.title(fmt::format("{}: error {}{}", lettered(ex, i), short_number(errors[i]), ex.units.of_y));
    axes.scatter(ex.units.x(ex.x), y, {.label = "data", .color = color_of_data, .size = 1.5, .alpha = 0.7});
    if (ex.truth.defined())
      axes.line(ex.units.x(ex.test_x), ex.units.y(ex.truth), {.label = "truth", .color = color_of_truth, .width = 1.2});
    axes.line(ex.units.x(grid), ex.units.y(ex.all[i].predict(grid)),
              {.label = "fit", .color = color_of(i), .width = 2});
    axes.x_label(ex.units.x_label).y_label(ex.units.y_label);
    if (i > 0) axes.no_legend();
  }
  plot::Axes& axes = figure.axes(2, 1);
  for (int i = 0; i < 5; ++i) axes.bars({static_cast<double>(i)}, {errors[i]}, {.color = color_of(i)});
  axes.title(ex.truth.defined() ? "error against the truth" : "error on held-out data");
  axes.y_label("root of the mean square" + (ex.units.of_y.empty() ? "" : "," + ex.units.of_y));
  axes.x_tokens({"a", "b", "c", "d", "e"});
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
          .low = 0};
}

plot::Figure weights(Experiment& ex) {
  plot::Figure figure({.rows = 2, .columns = 2, .width = 980, .height = 640});
  for (int i = 1; i < 5; ++i) {
    plot::HeatmapOptions options = corner_options(ex.units);
    options.title = lettered(ex, i);
    options.bar_label = "weight of a column";
    figure.axes((i - 1) / 2, (i - 1) % 2).heatmap(in_bins(ex.all[i].weights(corner_queries()), ex.x), options);
  }
  return figure;
}

double least_drawn(Experiment& ex) {
  double least = 1;
  for (int i = 1; i < 5; ++i)
    least = std::min(least, min(sum(in_bins(ex.all[i].weights(corner_queries()), ex.x), 1)).item());
  return least;
}

std::vector<double> keys_seen_by_queries(Experiment& ex) {
  std::vector<double> result;
  for (int i = 1; i < 5; ++i) result.push_back(keys_seen(ex.all[i].weights(linspace(0, width, 100))));
  return result;
}
std::vector<double> keys_seen_by_three(Experiment& ex) {
  std::vector<double> result;
  for (int i = 1; i < 4; ++i)
    result.push_back(keys_seen(ex.all[i].weights(tensor({query_at(0), query_at(1), query_at(2)}))));
  return result;
}

plot::Figure three_queries(Experiment& ex) {
  plot::Figure figure({.rows = 3, .width = 800, .height = 780});
  const plot::Range edges = edges_of(ex);
  const double room = 0.01 * edges.span();  // the dots at the ends are whole
  for (int row = 0; row < 3; ++row) {
    const double at = query_at(row);
    plot::Axes& axes = figure.axes(row, 0).x_range(edges.low - room, edges.high + room).y_label("weight");
    axes.x_label("keys: " + ex.units.x_label);
    axes.title(fmt::format("which keys the query at {}{:.3g}{} looks at", ex.units.of_x.empty() ? "x = " : "",
                           ex.units.x_low + at * ex.units.x_scale, ex.units.of_x));
    for (const int i : {1, 2, 3}) {
      const Tensor all = select(ex.all[i].weights(tensor({at})), 0, 0), small = less(all, max(all) * 1e-3);
      axes.stem(ex.units.x(ex.x), masked_fill(all, small, NAN),
                {.label = lettered(ex, i), .color = color_of(i), .width = 0.8, .size = 1.8, .alpha = 0.7});
    }
  }
  return figure;
}

plot::Figure kernels(Experiment& ex) {
  const Tensor u = linspace(0, 3, 301);
  const auto shape = [&](double width_of_it) { return exp(-0.5 * square(u / width_of_it)); };
  const auto told = [&](double seen) { return fmt::format("{:.2g}{}", seen * ex.units.x_scale, ex.units.of_x); };
  const Tensor at = u * ex.units.x_scale;
  const double one = ex.all[2].widths().item();
  std::vector<double> each = to_vector(ex.all[3].widths());
  std::ranges::sort(each);
  plot::Figure figure({.width = 620, .height = 400});
  plot::Axes& axes = figure.axes().title("kernels exp(−(u/σ)²/2), of width σ = 1/w").y_label("kernel");
  axes.x_label("distance u" + (ex.units.of_x.empty() ? "" : "," + ex.units.of_x));
  axes.line(at, shape(1), {.label = "before: σ = " + told(1), .color = color_of(1), .width = 2, .dashed = true});
  axes.line(at, shape(one), {.label = "one w: σ = " + told(one), .color = color_of(2), .width = 2.4});
  const plot::Color shades[] = {plot::hex(0x6b2f00), color_of(3), plot::hex(0xf3b27c)};
  for (int i = 0; i < 3; ++i) {
    const int percent = 10 + 40 * i;
    const double width_of_it = each[percent * (each.size() - 1) / 100];
    axes.line(at, shape(width_of_it),
              {.label = fmt::format("w for each key: {} % of σ are below {}", percent, told(width_of_it)),
               .color = shades[i]});
  }
  return figure;
}

std::vector<Losses> losses_of(const Experiment& ex) {
  std::vector<Losses> result;
  for (int i = 2; i < 5; ++i)
    result.push_back(
        {fmt::format("{} ({})", ex.all[i].name, letters[i]), ex.epochs, ex.all[i].losses, ex.all[i].held_out});
  return result;
}

plot::Figure losses(Experiment& ex) {
  plot::Figure figure({.columns = 2, .width = 900, .height = 340});
  plot::Range range;
  for (const Losses& model : losses_of(ex))
    for (const auto* numbers : {&model.training, &model.held_out})
      for (const double loss : *numbers) range.include(loss);
  for (int column = 0; column < 2; ++column) {
    plot::Axes& axes = figure.axes(0, column).x_label("epoch").x_logarithmic().y_range(0, 1.05 * range.high);
    axes.title(column == 0 ? "mean squared error in training" : "mean squared error on held-out data");
    axes.y_label(ex.units.of_y.empty() ? "" : ex.units.of_y.substr(1) + "²");
    for (int i = 2; i < 5; ++i)
      axes.line(ex.epochs, column == 0 ? ex.all[i].losses : ex.all[i].held_out,
                {.label = lettered(ex, i), .color = color_of(i), .width = 2});
    if (ex.truth.defined())
      axes.line({ex.epochs.front(), ex.epochs.back()}, {noise * noise, noise * noise},
                {.label = "variance of the noise", .color = plot::hex(0x7f7f7f), .dashed = true});
  }
  return figure;
}

}  // namespace regard::regression
