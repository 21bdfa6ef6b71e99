#include "examples/book/figures.h"
#include "nn/all.h"

namespace regard::book {
namespace {

// Three scores that are all s: the sum of their weights, and the slope of the first weight for its own, y·(1 − y).
plot::Figure quiet() {
  const Tensor s = linspace(-6, 4, 300, DType::f64);
  const Tensor sum_of_quiet = 3 * exp(s) / (1 + 3 * exp(s)), of_softmax = ones_like(s);
  const auto slope = [](const Tensor& sum) { return sum / 3 * (1 - sum / 3); };
  plot::Figure figure({.columns = 2, .width = 800, .height = 300, .title = "quiet softmax may look at nothing"});
  figure.axes(0, 0)
      .title("sum of three equal weights")
      .line(s, of_softmax, {.color = plot::color_of_attention, .width = 2})
      .line(s, sum_of_quiet, {.color = plot::color_of_attention, .width = 2, .dashed = true})
      .note(-5.8, 0.93, "softmax")
      .note(-0.8, 0.5, "quiet")
      .x_label("their score")
      .y_range(0, 1.1);
  figure.axes(0, 1)
      .title("slope of a weight for its score")
      .line(s, slope(of_softmax), {.color = plot::color_of_attention, .width = 2})
      .line(s, slope(sum_of_quiet), {.color = plot::color_of_attention, .width = 2, .dashed = true})
      .x_label("their score")
      .y_range(0, 0.3);
  return figure;
}

}  // namespace

std::vector<Picture> figures_19() { return {{"quiet.svg", quiet}}; }

}  // namespace regard::book
