#include "examples/trainers/heads.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace regard {

Tensor looks_at(nn::DecoderModel model, const nn::Tokens& text) {
  const NoGrad no_grad;
  nn::eval(model);
  std::vector<Tensor> weights;
  const auto result = model.predict(unsqueeze(nn::token_tensor(text), 0), {.weights = true});
  for (const nn::LayerWeights& layer : result.weights) weights.push_back(layer.self.value());  // (1, H, L, L)
  return cat(weights, 0);
}

Tensor without_masked(const Tensor& weights) {
  return where(tril(ones({weights.size(-2), weights.size(-1)})), weights, NAN);
}

HeadAt most_at(const Tensor& weights, Place place) {
  const std::int64_t length = weights.size(2);
  HeadAt most;
  for (std::int64_t layer = 0; layer < weights.size(0); ++layer)
    for (std::int64_t head = 0; head < weights.size(1); ++head) {
      double sum = 0;
      for (std::int64_t i = 1; i < length; ++i)
        sum += weights.at({layer, head, i, place == Place::before ? i - 1 : place == Place::first ? 0 : i});
      const double share = sum / static_cast<double>(std::max<std::int64_t>(length - 1, 1));
      if (share > most.share) most = {layer, head, share};
    }
  return most;
}

plot::Figure heads_figure(const Tensor& weights, std::vector<std::string> tokens) {
  for (std::string& token : tokens)
    if (token.starts_with(' ')) token.replace(0, 1, "␣");
  const Tensor seen = without_masked(weights);
  std::vector<std::pair<std::string, HeadAt>> shown;
  for (const auto& [place, words] :
       {std::pair{Place::before, "the token before"}, {Place::first, "the first token"}, {Place::itself, "itself"}}) {
    const HeadAt head = most_at(weights, place);
    if (shown.empty() || head.share > 0.4) shown.emplace_back(words, head);
  }
  const int columns = static_cast<int>(shown.size());
  plot::Figure figure({.columns = columns, .width = 350.0 * columns + 80, .height = 400, .shared_colors = true});
  for (int column = 0; column < columns; ++column) {
    const auto& [words, head] = shown[static_cast<std::size_t>(column)];
    figure.axes(0, column).heatmap(select(select(seen, 0, head.layer), 0, head.head),
                                   {.title = fmt::format("{}: layer {}, head {}, {:.0f} %", words, head.layer + 1,
                                                         head.head + 1, 100 * head.share),
                                    .x = "looked at",
                                    .y = column == 0 ? "reading" : "",
                                    .x_tokens = tokens,
                                    .y_tokens = tokens,
                                    .map = plot::Colormap::weights,
                                    .missing = "masked"});
  }
  return figure;
}

std::string more_weight(const std::string& where, double published, double ours) {
  return fmt::format("{} has more weight on {}: {:.0f} % against {:.0f} %",
                     ours > published ? "the one trained here" : "the published one", where,
                     100 * std::max(published, ours), 100 * std::min(published, ours));
}

std::string most_on_previous(const Tensor& weights) {
  if (weights.size(2) < 2) return "there is a single token, so all it can look at is itself";
  const HeadAt head = most_at(weights, Place::before);
  return fmt::format("head {} of layer {} puts {:.0f} % of its weight on the token right before, the most of all",
                     head.head + 1, head.layer + 1, 100 * head.share);
}

}  // namespace regard
