#include "examples/book/example.h"
#include "examples/book/figures.h"
#include "nn/all.h"

namespace regard::book {
namespace {

// The additive score with which chapter 3 computes on paper.
nn::AdditiveScore additive() {
  Generator generator(1);
  nn::AdditiveScore score({.query_size = 2, .key_size = 2, .hidden = 2, .dtype = DType::f64}, generator);
  assign(score.w_q.weight, numbers({{0, 1}, {1, 0}}) / std::sqrt(2));
  assign(score.w_k.weight, numbers({{1, -1}, {-1, 1}}) * (std::log(2) / 2));
  assign(score.w_v.weight, numbers({{9, 9}}) * std::log(2));
  return score;
}

// One with four hidden units. Two steps, one up and one down, make a ridge along each feature where key and query are
// less than 1 apart; both ridges together make a hill.
nn::AdditiveScore hill() {
  Generator generator(1);
  nn::AdditiveScore score({.query_size = 2, .key_size = 2, .hidden = 4, .bias = true, .dtype = DType::f64}, generator);
  const Tensor each_twice = numbers({{3, 0}, {3, 0}, {0, 3}, {0, 3}});
  assign(score.w_q.weight, -1 * each_twice);
  assign(score.w_k.weight, each_twice);
  assign(score.w_k.bias, numbers({3, -3, 3, -3}));
  assign(score.w_v.weight, numbers({{1, -1, 1, -1}}));
  return score;
}

// The scores of one query for keys on a grid over the plane.
plot::Figure plane() {
  const int side = 161;
  std::vector<double> grid;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      grid.push_back(-2 + 4.0 * column / (side - 1));
      grid.push_back(2 - 4.0 * row / (side - 1));
    }
  const Variable q = numbers({{1, 0.5}}), k = tensor(grid, {side * side, 2}, DType::f64);
  plot::Figure figure({.columns = 4,
                       .width = 800,
                       .height = 240,
                       .title = "only distance and additive single out the query",
                       .shared_colors = true});
  const auto show = [&](int column, std::string title, const Variable& scores) {
    const Tensor all = reshape(scores.value(), {side, side});
    const double x = 0.75 * (side - 1), y = 0.375 * (side - 1);  // the cell of the query
    figure.axes(0, column)
        .heatmap((all - min(all)) / (max(all) - min(all)), {.title = std::move(title),
                                                            .x = "first feature of the key",
                                                            .y = column == 0 ? "second feature" : "",
                                                            .x_edges = plot::Range{-2, 2},
                                                            .y_edges = plot::Range{2, -2},
                                                            .map = plot::Colormap::viridis,
                                                            .bar_label = "0: lowest, 1: highest"})
        .scatter({x}, {y}, {.color = plot::white, .size = 4.5})
        .scatter({x}, {y}, {.color = plot::ink, .size = 3})
        .note(x, y, column == 0 ? "q" : "");
  };
  show(0, "dot product", nn::ScaledDotProduct{}(q, k));
  show(1, "distance", nn::NegativeSquaredL2{}(q, k));
  show(2, "cosine", nn::CosineScore({.dtype = DType::f64})(q, k));
  show(3, "additive", hill()(q, k));
  return figure;
}

plot::Figure picture_of_weights() {
  const auto tokens = three_tokens();
  plot::Figure figure({.columns = 4,
                       .width = 800,
                       .height = 250,
                       .title = "only the additive score sends singing to love",
                       .shared_colors = true});
  const auto show = [&](int column, std::string title, const auto& score) {
    figure.axes(0, column).heatmap(softmax(score(tokens.q, tokens.k), -1).value(),
                                   {.title = std::move(title),
                                    .x = "keys",
                                    .y = column == 0 ? "queries" : "",
                                    .x_tokens = words,
                                    .y_tokens = column == 0 ? words : std::vector<std::string>(3),
                                    .map = plot::Colormap::weights,
                                    .values = true});
  };
  show(0, "dot product", nn::ScaledDotProduct{});
  show(1, "distance", nn::NegativeSquaredL2{.scale = 0.5});
  show(2, "cosine", nn::CosineScore({.temperature = 1, .dtype = DType::f64}));
  show(3, "additive", additive());
  return figure;
}

}  // namespace

std::vector<Picture> figures_03() { return {{"scores.png", plane}, {"weights_by_score.png", picture_of_weights}}; }

}  // namespace regard::book
