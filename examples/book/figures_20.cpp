#include "examples/book/figures.h"

namespace regard::book {
namespace {

// The table of "What it costs": milliseconds as they were measured once, so that the picture is always the same.
plot::Figure delta_rule_time() {
  const std::vector<double> tokens{256, 512, 1024, 2048, 4096, 8192, 16384};
  const std::vector<std::vector<double>> softmax{{0.19, 0.75, 2.79, 9.83, 34.81, 139.06, 541.71},
                                                 {0.77, 2.89, 9.65, 34.2, 120.3, 463.69, 1798.51}},
      delta{{0.22, 0.48, 1, 2.19, 3.99, 7.87, 15.96}, {1.04, 2.19, 4.52, 9.5, 17.56, 36.05, 71.18}},
      per_feature{{0.54, 1.1, 2.3, 4.7, 8.84, 18.01, 36.77}, {2.04, 4.13, 8.28, 16.8, 31.72, 63.58, 128.68}};
  plot::Figure figure({.columns = 2, .width = 800, .height = 320});
  for (const int both : {0, 1}) {
    const auto i = static_cast<std::size_t>(both);
    figure.axes(0, both)
        .line(tokens, softmax[i], {.label = both ? "softmax" : "", .color = plot::series_color(1), .width = 2})
        .line(tokens, per_feature[i],
              {.label = both ? "delta, per feature" : "", .color = plot::series_color(2), .width = 2})
        .line(tokens, delta[i], {.label = both ? "gated delta" : "", .color = plot::series_color(0), .width = 2})
        .title(both ? "forward and back" : "forward")
        .x_logarithmic()
        .y_logarithmic()
        .x_label("tokens")
        .y_label("milliseconds");
  }
  return figure;
}

}  // namespace

std::vector<Picture> figures_20() { return {{"delta_rule_time", delta_rule_time}}; }

}  // namespace regard::book
