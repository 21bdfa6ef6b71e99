#include "examples/book/figures.h"
#include "nn/all.h"

namespace regard::book {
namespace {

constexpr std::int64_t hidden = 32;

Variable word(Generator& random) { return normal({1, 4}, random, 0, 1, DType::f64); }

// The largest slope of the last state, all its numbers added up, by the first of n words, for n = 1 … 50.
template <class Cell>
std::vector<double> effects(const Cell& cell) {
  std::vector<double> slopes;
  for (int n = 1; n <= 50; ++n) {
    Generator random(3);
    const Variable first = parameter(word(random).value());
    Variable h = cell(first, zeros({1, hidden}, DType::f64));
    for (int t = 1; t < n; ++t) h = cell(word(random), h);
    slopes.push_back(max(abs(grad({sum(h)}, {first})[0])).item());
  }
  const double at_one = slopes.front();
  for (double& slope : slopes) slope /= at_one;
  return slopes;
}

plot::Figure forgetting() {
  Generator g(1);
  const nn::RNNCell rnn(RnnActivation::tanh, {.in = 4, .hidden = hidden, .dtype = DType::f64}, g);
  const nn::GRUCell gru(ResetGate::after_product, {.in = 4, .hidden = hidden, .dtype = DType::f64}, g);
  nn::GRUCell keeps(ResetGate::after_product, {.in = 4, .hidden = hidden, .dtype = DType::f64}, g);
  const Tensor none = zeros({hidden}, DType::f64);
  assign(keeps.weights.bias_hh, cat({none, full({hidden}, 4, DType::f64), none}, 0));  // z = σ(4 + …): nearly 1

  std::vector<double> n, attention;
  for (int i = 1; i <= 50; ++i) {
    n.push_back(i);
    attention.push_back(1.0 / i);  // of each word, if all are looked at alike
  }
  plot::Figure figure({.width = 600, .height = 340});
  figure.axes()
      .line(n, attention, {.label = "attention to all words alike: 1/n", .color = plot::color_of_attention, .width = 2})
      .line(n, effects(keeps), {.label = "GRU that keeps", .color = plot::color_of_gru, .width = 2, .dashed = true})
      .line(n, effects(gru), {.label = "GRU", .color = plot::color_of_gru, .width = 2})
      .line(n, effects(rnn), {.label = "RNN", .color = plot::color_of_rnn, .width = 2})
      .title("two forget the first word, two do not")
      .y_logarithmic()
      .x_label("words read")
      .y_label("slope of the last output by the first word");
  return figure;
}

// The training of chapter 10, "With and without": eight symbols backwards.
plot::Figure alignment() {
  const std::int64_t symbols = 10, length = 8, begin = symbols;
  Generator g(1), random(7);
  const nn::AdditiveScore score({.query_size = hidden, .key_size = 2 * hidden, .hidden = hidden}, g);
  const nn::DecoderOptions decoder{.in = hidden, .hidden = hidden, .memory = 2 * hidden};
  nn::Seq2Seq model(nn::AttentionDecoder(score, ResetGate::after_product, decoder, g),
                    {.source_count = symbols, .target_count = symbols + 1, .embedding = hidden, .hidden = hidden}, g);
  optim::Adam optimizer(model, {.learning_rate = 5e-3});
  const Tensor backwards = tensor({7, 6, 5, 4, 3, 2, 1, 0}, DType::i64);
  Tensor weights;
  for (int step = 0; step <= 400; ++step) {
    const Tensor source = randint({64, length}, random, 0, symbols), target = index_select(source, 1, backwards);
    const Tensor read = cat({full({64, 1}, begin, DType::i64), slice(target, 1, 0, -1)}, 1);
    const auto [logits, looks] = model(source, {}, read);
    weights = looks.value();
    optimizer.zero_grad();
    nn::cross_entropy_loss(logits, target).backward();
    optim::clip_norm(nn::parameters(model), 1);
    optimizer.step();
  }
  plot::Figure figure = plot::heatmap(mean(weights, 0), {.title = "dots: what is needed; it looks one later",
                                                         .x = "place in the source",
                                                         .y = "place in what is written",
                                                         .map = plot::Colormap::weights});
  figure.axes().scatter(backwards, arange(length, DType::f64), {.color = plot::ink, .size = 3});
  return figure;
}

}  // namespace

std::vector<Picture> figures_10() { return {{"forgetting.svg", forgetting}, {"alignment.png", alignment}}; }

}  // namespace regard::book
