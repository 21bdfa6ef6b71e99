#include "examples/book/figures.h"
#include "examples/published/all.h"
#include "nn/all.h"

#include <fmt/format.h>

namespace regard::book {
namespace {

std::string data(const char* file) { return std::string(REGARD_EXAMPLE_DATA) + "/" + file; }

// −ln p of each token of a text, given those before it.
std::vector<double> surprise(nn::Llama model, const nn::Tokens& text) {
  const NoGrad no_grad;
  const Tensor log_p = log_softmax(select(model(unsqueeze(nn::token_tensor(text), 0)).value(), 0, 0), -1);
  std::vector<double> all;
  for (std::size_t i = 1; i < text.size(); ++i) all.push_back(-log_p.at({static_cast<std::int64_t>(i) - 1, text[i]}));
  return all;
}

std::vector<double> running_mean(const std::vector<double>& x, std::size_t half) {
  std::vector<double> means;
  for (std::size_t i = half; i + half < x.size(); ++i) {
    double total = 0;
    for (std::size_t n = i - half; n <= i + half; ++n) total += x[n];
    means.push_back(total / static_cast<double>(2 * half + 1));
  }
  return means;
}

plot::Figure wrong_layout() {
  const nn::LlamaCheckpoint right = nn::load_llama2c(data("stories260K.bin"));
  nn::LlamaCheckpoint wrong = right;
  wrong.options.layout = nn::RotaryLayout::halves;
  nn::Tokens text{nn::SentencePieces::begin};
  const std::vector<nn::Tokens> written = nn::generate(nn::writer(nn::llama_from(right)), {text}, {.tokens = 120});
  text.insert(text.end(), written[0].begin(), written[0].end());
  const std::size_t half = 4;
  const std::vector<double> in_right = running_mean(surprise(nn::llama_from(right), text), half);
  const std::vector<double> in_wrong = running_mean(surprise(nn::llama_from(wrong), text), half);
  std::vector<double> at;
  for (std::size_t i = 0; i < in_right.size(); ++i) at.push_back(static_cast<double>(i + half + 1));
  plot::Figure figure({.width = 560, .height = 330});
  figure.axes()
      .line(at, in_right, {.label = "right layout", .color = plot::series_color(0), .width = 2})
      .line(at, in_wrong, {.label = "wrong layout", .color = plot::series_color(1), .width = 2})
      .title("in the wrong layout its own story surprises it")
      .x_label("position in the text")
      .y_label("−ln p of a token");
  return figure;
}

plot::Figure sorter() {
  nn::Gpt model = nn::gpt_from(nn::load_mingpt(data("gpt-nano-sort-model.json")), {.method = nn::Method::composed});
  const nn::Tokens tokens{2, 0, 1, 2, 0, 1, 0, 0, 1, 1, 2};
  std::vector<std::string> read, writes;
  for (const std::int64_t token : tokens) read.push_back(std::to_string(token));
  const std::vector<int> answer{0, 0, 1, 1, 2, 2};
  for (std::size_t i = 0; i < answer.size(); ++i) writes.push_back(fmt::format("{} → {}", read[5 + i], answer[i]));
  const NoGrad no_grad;
  const auto all = model.predict(unsqueeze(nn::token_tensor(tokens), 0), {.weights = true}).weights;
  const Tensor second = select(select(all.back().self.value(), 0, 0), 0, 1);  // (L, L)
  plot::Figure figure({.width = 560, .height = 320});
  std::vector<double> on_twos, columns, rows;  // of the last two rows, which write a 2
  for (std::int64_t row = 9; row < 11; ++row) {
    double& weight = on_twos.emplace_back(0);
    for (std::int64_t key = 0; key <= row; ++key) {
      if (tokens[static_cast<std::size_t>(key)] != 2) continue;
      weight += second.at({row, key});
      columns.push_back(static_cast<double>(key)), rows.push_back(static_cast<double>(row - 5) + 0.32);
    }
  }
  figure.axes().heatmap(slice(where(tril(ones({11, 11})), second, NAN), 0, 5),
                        {.title = fmt::format("to write a 2, head 2 has {:.2f} and {:.2f} of its weight on the 2s",
                                              on_twos[0], on_twos[1]),
                         .x = "is looked at",
                         .y = "last digit read → digit written",
                         .x_tokens = read,
                         .y_tokens = writes,
                         .map = plot::Colormap::weights,
                         .values = true,
                         .missing = "masked"});
  figure.axes().scatter(columns, rows, {.color = plot::ink, .size = 2});
  return figure;
}

}  // namespace

std::vector<Picture> figures_15() { return {{"wrong_layout.svg", wrong_layout}, {"sorter.png", sorter}}; }

}  // namespace regard::book
