#include "examples/book/example.h"
#include "examples/book/figures.h"
#include "nn/all.h"

namespace regard::book {
namespace {

plot::Figure weights() {
  const auto [x, q, k, v] = three_tokens();
  const plot::HeatmapOptions options{.title = "love looks least at itself",
                                     .x = "keys",
                                     .y = "queries",
                                     .x_tokens = words,
                                     .y_tokens = words,
                                     .map = plot::Colormap::weights,
                                     .values = true};
  return plot::heatmap(nn::Attention(nn::ScaledDotProduct{})(q, k, v).weights, options);
}

// Softmax of the scores 0, ln 2 and ln 4 over a temperature.
plot::Figure temperature() {
  const Tensor scores = numbers({0, std::log(2), std::log(4)});
  std::vector<double> at;
  std::array<std::vector<double>, 3> weights;
  for (double t = 0.05; t < 20; t *= 1.05) {
    at.push_back(t);
    const Tensor now = softmax(Variable(scores / t), -1).value();
    for (int i = 0; i < 3; ++i) weights[i].push_back(now.at({i}));
  }
  plot::Figure figure({.width = 560, .height = 330});
  figure.axes()
      .line(at, weights[2], {.label = "of score ln 4"})
      .line(at, weights[1], {.label = "of score ln 2"})
      .line(at, weights[0], {.label = "of score 0"})
      .scatter({1, 1, 1}, {4.0 / 7, 2.0 / 7, 1.0 / 7}, {.color = plot::ink, .size = 3})
      .note(1, 4.0 / 7, "4/7")
      .note(1, 2.0 / 7 + 0.03, "2/7", plot::Align::end)
      .note(1, 1.0 / 7 - 0.03, "1/7")
      .title("cold: one takes all; hot: all alike")
      .x_logarithmic()
      .x_label("temperature")
      .y_label("weight")
      .y_range(0, 1.05);
  return figure;
}

// Random queries and keys of D features: the largest of eight weights, and the size of softmax's slopes.
plot::Figure features() {
  std::vector<double> sizes;
  std::array<std::vector<double>, 2> largest, slopes;  // without and with 1/√D
  for (int size = 1; size <= 1024; size *= 2) {
    Generator random(1);
    const Tensor q = normal({400, 1, size}, random, 0, 1, DType::f64);
    const Tensor k = normal({400, 8, size}, random, 0, 1, DType::f64);
    sizes.push_back(size);
    for (const bool scaled : {false, true}) {
      const nn::ScaledDotProduct score{.scale = scaled ? 1 / std::sqrt(size) : 1};
      const Tensor w = softmax(score(q, k), -1).value();
      largest[scaled].push_back(mean(max(w, -1)).item());
      slopes[scaled].push_back(mean(sum(w * (1 - w), -1)).item());  // the sum of ∂wⱼ/∂sⱼ
    }
  }
  plot::Figure figure({.columns = 2, .width = 800, .height = 300, .title = "without √D one key takes all"});
  const std::array<const char*, 2> labels{"scores q·k", "scores q·k/√D"};
  for (int i = 0; i < 2; ++i) {
    figure.axes(0, 0).line(sizes, largest[i],
                           {.label = labels[i], .color = i == 0 ? plot::without_scale : plot::with_scale, .width = 2});
    figure.axes(0, 1).line(sizes, slopes[i],
                           {.label = labels[i], .color = i == 0 ? plot::without_scale : plot::with_scale, .width = 2});
  }
  figure.axes(0, 0).title("largest of 8 weights").x_logarithmic().x_label("features D").y_range(0, 1.05);
  figure.axes(0, 1).title("slopes of softmax, added up").x_logarithmic().x_label("features D").y_range(0, 0.9);
  return figure;
}

}  // namespace

std::vector<Picture> figures_02() {
  return {{"three_tokens.png", weights}, {"temperature.svg", temperature}, {"features.svg", features}};
}

}  // namespace regard::book
