#include "examples/book/figures.h"
#include "nn/all.h"

namespace regard::book {
namespace {

constexpr std::int64_t begin = 8, end = 9, vocabulary = 10;
using Translator = nn::Transformer;

Translator make_translator(Generator& g) {
  return {nn::ScaledDotProduct{},
          {.source_vocabulary = vocabulary,
           .target_vocabulary = vocabulary,
           .encoder_layers = 1,
           .decoder_layers = 1,
           .layer = {.model = 32, .heads = 2, .hidden = 128, .placement = nn::NormPlacement::pre},
           .positions = nn::PositionKind::sinusoidal,
           .tied = false},
          g};
}

struct Texts {
  nn::Sequences sources, targets;  // random symbols, and the same backwards
};
Texts random_texts(int count, Generator& random) {
  Texts texts;
  for (int i = 0; i < count; ++i) {
    const auto length = static_cast<std::int64_t>(randint({1}, random, 3, 8).item());
    nn::Tokens source;
    for (const double symbol : to_vector(randint({length}, random, 0, 8)))
      source.push_back(static_cast<std::int64_t>(symbol));
    texts.sources.push_back(source);
    texts.targets.emplace_back(source.rbegin(), source.rend());
  }
  return texts;
}

// The training of chapter 12.
void train(Translator& model, int steps) {
  Generator random(3);
  optim::AdamW optimizer(model, {.learning_rate = 3e-3});
  const optim::WarmupCosine schedule{.peak = 3e-3, .warmup = 40, .total = steps};
  for (int step = 0; step < steps; ++step) {
    const Texts texts = random_texts(64, random);
    const auto [tokens, lengths] = nn::pad_right(texts.sources, 0);
    const auto [input, target, _] =
        nn::teacher_forcing(nn::pad_right(texts.targets, 0), {.begin = begin, .end = end, .padding = 0});
    const nn::Encoded source = model.encode(tokens, nn::Mask::valid_lengths(lengths));
    optimizer.zero_grad();
    nn::cross_entropy_loss(model.decode(input, source), target).backward();
    optim::clip_norm(nn::parameters(model), 1);
    optimizer.set_learning_rate(schedule(step));
    optimizer.step();
  }
}

plot::Figure transformer() {
  Generator g(1);
  Translator model = make_translator(g);
  train(model, 600);
  const NoGrad no_grad;
  const nn::Encoded source = model.encode(tensor({{2, 7, 1, 4, 3}}, DType::i64), {}, {.weights = true});
  const auto written = model.predict(tensor({{begin, 3, 4, 1, 7, 2}}, DType::i64), source, {.weights = true}).weights;
  const std::vector<std::string> given{"2", "7", "1", "4", "3"}, read{"B", "3", "4", "1", "7", "2"};
  plot::Figure figure({.columns = 3, .width = 800, .height = 290, .shared_colors = true});
  const auto options = [](const char* title, const auto& x, const auto& y) {
    return plot::HeatmapOptions{.title = title,
                                .x = "is looked at",
                                .y = "looks",
                                .x_tokens = x,
                                .y_tokens = y,
                                .map = plot::Colormap::weights,
                                .missing = "masked"};
  };
  const auto mean_of_heads = [](const Variable& weights) { return mean(weights.value(), {0, 1}); };
  figure.axes(0, 0).heatmap(mean_of_heads(source.weights[0].self), options("encoder: everywhere", given, given));
  figure.axes(0, 1).heatmap(where(tril(ones({6, 6})), mean_of_heads(written[0].self), NAN),
                            options("decoder at itself: no future", read, read));
  figure.axes(0, 2).heatmap(mean_of_heads(written[0].cross), options("at the source: backwards", given, read));
  return figure;
}

}  // namespace

std::vector<Picture> figures_12() { return {{"transformer.png", transformer}}; }

}  // namespace regard::book
