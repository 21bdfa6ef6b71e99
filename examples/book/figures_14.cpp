#include "examples/book/figures.h"
#include "tensor/attention/ladder.h"

namespace regard::book {
namespace {

// The part of the multiply-adds of a layer that is for pairs, for a length of n = ratio·E.
plot::Figure cost_share() {
  std::vector<double> at, share, rest;
  for (double ratio = 0.1; ratio < 100; ratio *= 1.1) {
    at.push_back(ratio);
    share.push_back(ratio / (ratio + 6));
    rest.push_back(6 / (ratio + 6));
  }
  plot::Figure figure({.width = 560, .height = 330});
  figure.axes()
      .line(at, share, {.label = "pairs: scores and outputs", .color = plot::series_color(1), .width = 2})
      .line(at, rest, {.label = "rows: projections and feed-forward", .color = plot::series_color(0), .width = 2})
      .x_logarithmic()
      .x_label("length over width, n/E")
      .y_label("share of multiply-adds")
      .y_range(0, 1.05);
  return figure;
}

plot::Figure ladder_memory() {
  plot::Figure figure({.width = 560, .height = 330});
  auto& axes = figure.axes();
  for (const auto& rung : attention_ladder::ladder<float>()) {
    if (std::string(rung.name).starts_with("5")) continue;  // what it holds depends on the threads
    std::vector<double> at, held;
    for (std::int64_t n = 256; n <= 65536; n *= 2) {
      at.push_back(static_cast<double>(n));
      held.push_back(static_cast<double>(rung.held({n, n, 64, 64, nullptr, nullptr, nullptr, 0.125f})) / 256);
    }
    axes.line(at, held, {.label = rung.name, .width = 2});
  }
  axes.x_logarithmic().y_logarithmic().x_label("tokens").y_label("KiB held");
  return figure;
}

}  // namespace

std::vector<Picture> figures_14() { return {{"cost_share", cost_share}, {"ladder_memory", ladder_memory}}; }

}  // namespace regard::book
