#include "examples/book/figures.h"
#include "nn/all.h"

#include <cmath>

namespace regard::book {
namespace {

// What is left of a gradient on the straight way back. A block has two steps.
plot::Figure depth() {
  const Tensor passed = arange(13, DType::f64);
  const auto left = [&](double of_each_step) { return exp(2 * std::log(of_each_step) * passed); };
  plot::Figure figure({.width = 560, .height = 330});
  figure.axes()
      .line(passed, left(1), {.label = "pre-norm", .width = 2})
      .line(passed, left(std::sqrt(0.5)), {.label = "post-norm", .width = 2})
      .line(passed, left(0.5), {.label = "no residuals, slope 1/2", .width = 2})
      .y_logarithmic()
      .x_label("blocks passed")
      .y_label("what is left of the gradient");
  return figure;
}

}  // namespace

std::vector<Picture> figures_09() { return {{"depth", depth}}; }

}  // namespace regard::book
