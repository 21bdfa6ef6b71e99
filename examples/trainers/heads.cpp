#include "examples/trainers/heads.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace regard {

Tensor looks_at(nn::DecoderModel model, const nn::Tokens& text) {
  const NoGrad no_grad;
  nn::eval(model);
  std::vector<Tensor> weights;
  const auto result = model.predict(unsqueeze(nn::token_tensor(text), 0), {.weights = true});
  for (const nn::LayerWeights& layer : result.weights) weights.push_back(layer.self.value());  // (1, H, L, L)
  return cat(weights, 0);
}

std::vector<std::string> head_titles(const Tensor& weights) {
  std::vector<std::string> titles;
  for (std::int64_t layer = 1; layer <= weights.size(0); ++layer)
    for (std::int64_t head = 1; head <= weights.size(1); ++head)
      titles.push_back(fmt::format("layer {}, head {}", layer, head));
  return titles;
}

Tensor without_masked(const Tensor& weights) {
  return where(tril(ones({weights.size(-2), weights.size(-1)})), weights, NAN);
}

plot::Figure heads_figure(const Tensor& weights, std::vector<std::string> tokens) {
  for (std::string& token : tokens)
    if (token.starts_with(' ')) token.replace(0, 1, "␣");
  const double room_for_words = 16.0 * static_cast<double>(tokens.size());
  return plot::heatmap_grid(
      without_masked(weights),
      {.x = "looked at",
       .y = "reading",
       .x_tokens = tokens,
       .y_tokens = tokens,
       .low = 0,
       .high = 1,
       .missing = "masked"},
      {.titles = head_titles(weights), .cell = std::max(1080 / static_cast<double>(weights.size(1)), room_for_words)});
}

std::string most_on_previous(const Tensor& weights) {
  if (weights.size(2) < 2) return "there is a single token, so all it can look at is itself";
  double most = 0;
  std::int64_t its_layer = 0, its_head = 0;
  for (std::int64_t layer = 0; layer < weights.size(0); ++layer)
    for (std::int64_t head = 0; head < weights.size(1); ++head) {
      double sum = 0;  // from the second token on: the first has none before it
      for (std::int64_t i = 1; i < weights.size(2); ++i) sum += weights.at({layer, head, i, i - 1});
      if (sum > most) most = sum, its_layer = layer, its_head = head;
    }
  return fmt::format("head {} of layer {} puts {:.0f} % of its weight on the token right before, the most of all",
                     its_head + 1, its_layer + 1, 100 * most / static_cast<double>(weights.size(2) - 1));
}

}  // namespace regard
