#include "examples/book/example.h"
#include "examples/book/figures.h"
#include "nn/all.h"

namespace regard::book {
namespace {

plot::Figure masks() {
  plot::Figure figure({.columns = 4, .width = 900, .height = 250});
  const auto show = [&](int column, std::string title, const nn::Mask& mask) {
    const Tensor seen = reshape(expand(mask.table({1, 9, 9}), {1, 9, 9}), {9, 9});
    figure.axes(0, column).heatmap(where(seen, zeros({9, 9}), NAN), {.title = std::move(title),
                                                                     .x = "keys",
                                                                     .y = column == 0 ? "queries" : "",
                                                                     .map = plot::Colormap::gray,
                                                                     .low = 0,
                                                                     .high = 1,
                                                                     .bar = false});
  };
  show(0, "causal", nn::Mask::causal());
  show(1, "six words of nine", nn::Mask::valid_lengths({6}));
  show(2, "a window of three, causal", nn::sliding_window(3) & nn::Mask::causal());
  show(3, "all others", nn::Mask::others());
  return figure;
}

// The weights under a causal mask that is applied as it should be, and in four ways in which it should not.
plot::Figure wrong_masks() {
  const auto tokens = three_tokens();
  const Tensor visible = numbers({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}});
  const Variable scores = nn::ScaledDotProduct{}(tokens.q, tokens.k);
  plot::Figure figure({.columns = 5, .width = 900, .height = 220, .shared_colors = true});
  const auto show = [&](int column, std::string title, const Variable& weights) {
    const bool hides = sum(weights.value() * (1 - visible)).item() == 0;  // what is masked is grey where it is masked
    figure.axes(0, column).heatmap(hides ? where(visible, weights.value(), NAN) : weights.value(),
                                   {.title = std::move(title),
                                    .x = "keys",
                                    .y = column == 0 ? "queries" : "",
                                    .x_tokens = words,
                                    .y_tokens = words,
                                    .map = plot::Colormap::weights,
                                    .values = true,
                                    .missing = "masked"});
  };
  show(0, "right: left out", masked_softmax(scores, 1, visible));
  show(1, "scores times mask", softmax(scores * visible, -1));
  show(2, "mask added", softmax(scores + visible, -1));
  show(3, "weights times mask", softmax(scores, -1) * visible);
  show(4, "the wrong way round", masked_softmax(scores, 1, 1 - visible));
  return figure;
}

}  // namespace

std::vector<Picture> figures_04() { return {{"masks", masks}, {"wrong_masks", wrong_masks}}; }

}  // namespace regard::book
