#include "examples/book/figures.h"
#include "nn/all.h"

namespace regard::book {
namespace {

// The training of chapter 7, "Two looks, learned": six words under a causal mask. Each should put out the first feature
// of the word before it and the second feature of the word two before it.
struct Looks {
  Variable q, k;  // (H, 6, 4/H)

  Looks(std::int64_t heads, Generator& g)
      : q(parameter(normal({heads, 6, 4 / heads}, g, 0, 0.3, DType::f64))),
        k(parameter(normal({heads, 6, 4 / heads}, g, 0, 0.3, DType::f64))) {}
  void visit(nn::Visitor& v) {
    v("q", q);
    v("k", k);
  }
};

Tensor trained_weights(std::int64_t heads) {
  Generator random(1);
  Looks looks(heads, random);
  optim::Adam optimizer(looks, {.learning_rate = 0.02});
  nn::Attention attention(nn::ScaledDotProduct{});
  Tensor last;
  for (int step = 0; step < 2000; ++step) {
    const Tensor v = uniform({6, 2}, random, -1, 1, DType::f64);
    const Tensor of_heads = transpose(reshape(v, {6, heads, 2 / heads}), 0, 1);
    const auto [mixed, weights] = attention(looks.q, looks.k, of_heads, nn::Mask::causal());
    const Variable output = reshape(transpose(mixed, 0, 1), {6, 2});
    const Tensor wanted = cat({slice(slice(v, 0, 1, 5), 1, 0, 1), slice(slice(v, 0, 0, 4), 1, 1, 2)}, 1);
    optimizer.zero_grad();
    mean(square(slice(output, 0, 2, 6) - wanted)).backward();
    optimizer.step();
    last = weights.value();
  }
  return last;
}

plot::Figure two_looks() {
  const Tensor one = trained_weights(1), two = trained_weights(2);
  const Tensor visible = tril(ones({6, 6}));
  plot::Figure figure({.columns = 3, .width = 800, .height = 270, .shared_colors = true});
  const auto options = [](const char* title) {
    return plot::HeatmapOptions{
        .title = title, .x = "is looked at", .y = "looks", .map = plot::Colormap::weights, .missing = "masked"};
  };
  figure.axes(0, 0).heatmap(where(visible, select(one, 0, 0), NAN), options("one head"));
  figure.axes(0, 1).heatmap(where(visible, select(two, 0, 0), NAN), options("two heads: the first"));
  figure.axes(0, 2).heatmap(where(visible, select(two, 0, 1), NAN), options("two heads: the second"));
  return figure;
}

}  // namespace

std::vector<Picture> figures_07() { return {{"two_looks.png", two_looks}}; }

}  // namespace regard::book
