#include "examples/book/example.h"
#include "examples/book/figures.h"
#include "nn/all.h"

namespace regard::book {
namespace {

const std::vector<std::string> feature_names{"1", "2"};

// Scores, weights and outputs under a causal mask, and the gradient of the loss with respect to each.
plot::Figure gradients_of_all() {
  const auto tokens = three_tokens();
  const Tensor visible = numbers({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}});
  const Variable scores = nn::ScaledDotProduct{}(tokens.q, tokens.k), weights = masked_softmax(scores, 1, visible);
  const Variable output = matmul(weights, tokens.v);
  const Variable loss = sum(square(slice(output, 0, 1, 3) - slice(tokens.v.value(), 0, 0, 2)));
  const auto of = grad({loss}, {scores, weights, output});

  plot::Figure figure({.rows = 2, .columns = 3, .width = 800, .height = 470});
  const auto show = [&](int row, int column, std::string title, const Tensor& numbers, double most) {
    const bool of_weights = row == 0 && column == 1;
    figure.axes(row, column)
        .heatmap(numbers, {.title = std::move(title),
                           .x = column == 2 ? "features" : "keys",
                           .y = column == 0 ? "queries" : "",
                           .x_tokens = column == 2 ? feature_names : words,
                           .y_tokens = words,
                           .map = of_weights ? plot::Colormap::weights : plot::Colormap::diverging,
                           .low = -most,
                           .high = most,
                           .values = true,
                           .bar = of_weights,
                           .missing = "masked",
                           .square = false});
  };
  const auto seen = [&](const Variable& x) { return where(visible, x.value(), NAN); };
  show(0, 0, "1. scores s / ln 2 →", seen(scores) / std::log(2), 2);
  show(0, 1, "2. weights α →", seen(weights), 1);
  show(0, 2, "3. output o", output.value(), 12);
  show(1, 0, "6. ∂s", seen(of[0]), 45);
  show(1, 1, "← 5. ∂α", seen(of[1]), 216);
  show(1, 2, "← 4. ∂o", of[2].value(), 18);
  return figure;
}

}  // namespace

std::vector<Picture> figures_05() { return {{"gradients.png", gradients_of_all}}; }

}  // namespace regard::book
