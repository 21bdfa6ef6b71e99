#include "examples/book/example.h"
#include "examples/book/figures.h"
#include "nn/all.h"

#include <fmt/format.h>

namespace regard::book {
namespace {

plot::Figure masks() {
  plot::Figure figure({.columns = 4, .width = 800, .height = 240, .title = "grey is masked, the rest is seen"});
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
  plot::Figure figure({.rows = 2, .columns = 3, .width = 800, .height = 470, .shared_colors = true});
  const auto show = [&](int place, std::string title, const Variable& weights, const Tensor& hidden) {
    figure.axes(place / 3, place % 3)
        .heatmap(where(hidden, NAN, weights.value()), {.title = std::move(title),
                                                       .x = "keys",
                                                       .y = place % 3 == 0 ? "queries" : "",
                                                       .x_tokens = words,
                                                       .y_tokens = words,
                                                       .map = plot::Colormap::weights,
                                                       .values = true,
                                                       .missing = "masked"});
  };
  const Tensor above = 1 - visible, none = zeros({3, 3});
  show(0, "right: left out", masked_softmax(scores, 1, visible), above);
  show(1, "scores times mask: hides nothing", softmax(scores * visible, -1), none);
  show(2, "mask added: hides nothing", softmax(scores + visible, -1), none);
  const Variable cut = softmax(scores, -1) * visible;
  const std::vector<double> sums = to_vector(sum(cut.value(), 1));
  show(3, fmt::format("weights times mask: rows of {:.1f}, {:.1f}, {:.0f}", sums[0], sums[1], sums[2]), cut, above);
  show(4, "the wrong way round", masked_softmax(scores, 1, above), visible);
  figure.axes(1, 2).bare();
  return figure;
}

}  // namespace

std::vector<Picture> figures_04() { return {{"masks.png", masks}, {"wrong_masks.png", wrong_masks}}; }

}  // namespace regard::book
