#include "examples/book/figures.h"
#include "nn/all.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace regard::book {
namespace {

// The table of "What it costs": milliseconds as they were measured once, so that the picture is always the same.
plot::Figure delta_rule_time() {
  const std::vector<double> tokens{256, 512, 1024, 2048, 4096, 8192, 16384};
  const std::vector<std::vector<double>> softmax{{0.19, 0.75, 2.79, 9.83, 34.81, 139.06, 541.71},
                                                 {0.77, 2.89, 9.65, 34.2, 120.3, 463.69, 1798.51}},
      delta{{0.22, 0.48, 1, 2.19, 3.99, 7.87, 15.96}, {1.04, 2.19, 4.52, 9.5, 17.56, 36.05, 71.18}},
      per_feature{{0.54, 1.1, 2.3, 4.7, 8.84, 18.01, 36.77}, {2.04, 4.13, 8.28, 16.8, 31.72, 63.58, 128.68}};
  const auto ratio = [&](std::size_t both) { return softmax[both].back() / delta[both].back(); };
  plot::Figure figure(
      {.columns = 2,
       .width = 800,
       .height = 340,
       .title = fmt::format(
           "at {} tokens softmax takes {:.0f} times as long as the gated delta rule, with the way back {:.0f}",
           tokens.back(), ratio(0), ratio(1))});
  for (const int both : {0, 1}) {
    const auto i = static_cast<std::size_t>(both);
    figure.axes(0, both)
        .line(tokens, softmax[i], {.label = both ? "softmax" : "", .color = plot::color_of_attention, .width = 2})
        .line(
            tokens, per_feature[i],
            {.label = both ? "delta, per feature" : "", .color = plot::color_of_delta_rule, .width = 2, .dashed = true})
        .line(tokens, delta[i], {.label = both ? "gated delta" : "", .color = plot::color_of_delta_rule, .width = 2})
        .title(both ? "forward and back" : "forward")
        .x_logarithmic()
        .y_logarithmic()
        .y_range(0.1, 3000)
        .x_label("tokens")
        .y_label("milliseconds");
  }
  return figure;
}

// A task of many small recalls: most tokens are noise, some are symbols, and each token names the latest symbol so far,
// or says that there was none.
namespace recall {

constexpr std::int64_t symbols = 4, none = symbols, noise = 4, length = 16;

struct Namer {
  nn::Embedding embedding;
  nn::EncoderLayer layer;
  nn::Linear out;

  Namer(const nn::AttentionMaker& attention, Generator& g)
      : embedding({.count = symbols + noise, .size = 16, .dtype = DType::f64}, g),
        layer(attention,
              {.model = 16, .heads = 1, .hidden = 32, .placement = nn::NormPlacement::pre, .dtype = DType::f64}, g),
        out({.in = 16, .out = symbols + 1, .dtype = DType::f64}, g) {}
  void visit(nn::Visitor& v) {
    v("embedding", embedding);
    v("layer", layer);
    v("out", out);
  }
  // Logits (B, L, symbols + 1); and, if they are wanted, who looks where, (B, 1, L, L).
  std::pair<Variable, Variable> operator()(const Tensor& tokens, bool weights = false) {
    const auto [y, looks] = layer(embedding(tokens), nn::Mask::causal(), {.weights = weights});
    return {out(y), looks.self};
  }
};

Tensor latest(const Tensor& tokens) {
  std::vector<double> answers = to_vector(tokens);
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i] >= symbols) answers[i] = i % length == 0 ? none : answers[i - 1];
  return tensor(answers, tokens.shape(), DType::i64);
}

Tensor draw_tokens(std::int64_t count, Generator& random) {
  const Shape shape{count, length};
  const Tensor is_symbol = less(uniform(shape, random), 0.15);
  return where(is_symbol, randint(shape, random, 0, symbols), randint(shape, random, symbols, symbols + noise));
}

Namer trained(const nn::AttentionMaker& attention) {
  const int steps = 600;
  Generator g(1), random(2);
  Namer namer(attention, g);
  optim::Adam optimizer(namer);
  const optim::WarmupCosine schedule{.peak = 1e-2, .warmup = 30, .total = steps};
  for (int step = 0; step < steps; ++step) {
    const Tensor tokens = draw_tokens(32, random);
    optimizer.zero_grad();
    nn::cross_entropy_loss(namer(tokens).first, latest(tokens)).backward();
    optimizer.set_learning_rate(schedule(step));
    optimizer.step();
  }
  return namer;
}

struct Kind {
  std::string name;
  nn::AttentionMaker attention;
};
std::vector<Kind> kinds() {
  using Made = nn::AnyAttention;
  const nn::MultiHeadOptions heads{.model = 16, .heads = 1, .dtype = DType::f64};
  const auto window = [=](std::int64_t, Generator& g) -> Made {
    nn::MultiHeadOptions near = heads;
    near.mask = nn::sliding_window(4);
    return nn::MultiHeadAttention(nn::ScaledDotProduct{}, near, g);
  };
  const auto forgetting = [=](std::int64_t, Generator& g) -> Made {
    return nn::ForgettingAttention(nn::ScaledDotProduct{}, heads, g);
  };
  const auto delta = [](std::int64_t, Generator& g) -> Made {
    return nn::DeltaAttention({.model = 16, .heads = 1, .fading = nn::Fading::none, .dtype = DType::f64}, g);
  };
  return {{"softmax", nn::ScaledDotProduct{}},
          {"window of 4", window},
          {"sink", nn::Sinks(nn::ScaledDotProduct{}, 1, DType::f64)},
          {"forgetting", forgetting},
          {"delta rule", delta}};
}

// What a trained model of each kind does: with one text, and with many.
struct Look {
  std::string name;
  double right;    // the share of right answers
  Tensor weights;  // (L, L)
};
const Tensor& text() {
  static const Tensor tokens = tensor({{4, 6, 0, 5, 7, 4, 6, 5, 6, 1, 5, 7, 4, 6, 7, 5}}, DType::i64);
  return tokens;
}
constexpr std::int64_t place_of_a = 2, place_of_b = 9;

const std::vector<Look>& looks() {
  static const std::vector<Look> all = [] {
    Generator random(3);
    const Tensor others = draw_tokens(512, random);
    std::vector<Look> made;
    for (const auto& [name, attention] : kinds()) {
      Namer namer = trained(attention);
      const NoGrad no_grad;
      const Tensor right = equal(argmax(namer(others).first.value(), -1), latest(others));
      made.push_back({name, mean(to(right, DType::f64)).item(), flatten(namer(text(), true).second.value(), 0, 2)});
    }
    return made;
  }();
  return all;
}

plot::Figure who_looks_where() {
  std::vector<std::string> words;
  for (const double token : to_vector(text())) words.push_back(token == 0 ? "A" : token == 1 ? "B" : "·");
  const auto options = [&](const std::string& title, bool bar, bool is_signed, const std::string& more = "") {
    std::vector<std::string> looked_at = words;
    if (!more.empty()) looked_at.push_back(more);
    return plot::HeatmapOptions{.title = title,
                                .x = "is looked at",
                                .y = "looks",
                                .x_tokens = looked_at,
                                .y_tokens = words,
                                .map = is_signed ? plot::Colormap::diverging : plot::Colormap::weights,
                                .low = is_signed ? -1.0 : 0.0,
                                .high = 1,
                                .bar = bar,
                                .bar_label = is_signed ? "∂o/∂v" : "weight",
                                .missing = "masked"};
  };
  const Tensor past = tril(ones({length, length}, DType::f64)), columns = arange(length, DType::f64);
  const Tensor asked = cat({zeros({2, length}, DType::f64), expand(equal(columns, place_of_a * 1.0), {7, length}),
                            expand(equal(columns, place_of_b * 1.0), {7, length})},
                           0);
  std::vector<std::string> sure;
  for (const Look& look : looks())
    if (look.right == 1) sure.push_back(look.name);
  plot::Figure figure({.rows = 2,
                       .columns = 3,
                       .width = 930,
                       .height = 640,
                       .title = fmt::format("always right: {}", fmt::join(sure, " and "))});
  figure.axes(0, 0).heatmap(where(past, asked, NAN), options("what is asked for", false, false));
  int place = 1;
  for (const auto& [name, right, weights] : looks()) {
    const Tensor seen = name.starts_with("window") ? past - tril(past, -4) : past;
    const std::string title = fmt::format("{}: {:.0f} % are right", name, 100 * right);
    Tensor shown = where(seen, weights, NAN);
    if (name == "sink") shown = cat({shown, 1 - sum(weights, -1, keepdim)}, 1);  // its share, in a column of its own
    figure.axes(place / 3, place % 3)
        .heatmap(shown, options(title, place % 3 == 2, name == "delta rule", name == "sink" ? "S" : ""));
    ++place;
  }
  return figure;
}

// As pages write numbers: 0.96, 1, −0.7; and all of them, from the one nearest to 0 on: 0.96 to 1.
std::string in_words(double x) {
  const std::string size = fmt::format("{}", std::round(100 * std::abs(x)) / 100);
  return x < 0 ? "−" + size : size;
}
std::string in_words(const Tensor& numbers) {
  std::vector<double> all = to_vector(numbers);
  std::ranges::sort(all, {}, [](double x) { return std::abs(x); });
  return fmt::format("{} to {}", in_words(all.front()), in_words(all.back()));
}

// The numbers of the table below the picture.
std::vector<std::string> who_looks_where_says() {
  const Look &softmax = looks()[0], &window = looks()[1], &sink = looks()[2], &forgetting = looks()[3],
             &delta = looks()[4];
  const auto on = [](const Look& look, std::int64_t key, std::int64_t first, std::int64_t last) {
    return select(slice(look.weights, 0, first, last), 1, key);  // of these queries
  };
  const auto on_a = [&](const Look& look) { return on(look, place_of_a, place_of_a, place_of_b); };
  const auto on_a_later = [&](const Look& look) { return on(look, place_of_a, place_of_b, length); };
  const auto on_b = [&](const Look& look) { return on(look, place_of_b, place_of_b, length); };
  const auto behind_b = [&](std::int64_t key) { return on(softmax, key, place_of_b + 1, length); };
  const Tensor found =
      cat({on(window, place_of_a, place_of_a, place_of_a + 4), on(window, place_of_b, place_of_b, place_of_b + 4)}, 0);
  const Tensor share = 1 - sum(sink.weights, -1);
  return {fmt::format("| softmax | {} | A and B {} each, so it has to guess; {:.0f} % right", in_words(on_a(softmax)),
                      in_words(cat({behind_b(place_of_a), behind_b(place_of_b)}, 0)), 100 * softmax.right),
          fmt::format("| a window of 4 | {}, while at most three tokens away", in_words(found)),
          fmt::format("give it {} and {} (column S)", in_words(share.at({0})), in_words(share.at({1}))),
          fmt::format("| forgetting | {} | A {} or less: a gate has closed; {:.4g} % right",
                      in_words(min(on_a(forgetting)).item()), in_words(max(on_a_later(forgetting)).item()),
                      100 * forgetting.right),
          fmt::format("| the delta rule | {} | A {}, B {}; {:.4g} % right", in_words(on_a(delta)),
                      in_words(on_a_later(delta)), in_words(on_b(delta)), 100 * delta.right)};
}

}  // namespace recall
}  // namespace

std::vector<Picture> figures_20() {
  return {{"delta_rule_time.svg", delta_rule_time},
          {"who_looks_where.png", recall::who_looks_where, recall::who_looks_where_says}};
}

}  // namespace regard::book
