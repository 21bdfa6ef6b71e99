#include "examples/book/example.h"
#include "examples/book/figures.h"
#include "nn/all.h"
#include "nn/tools/explain/influence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace regard::book {
namespace {

constexpr std::int64_t length = 12, width = 8;

Variable sequence(std::int64_t positions, std::int64_t features, std::uint64_t seed) {
  Generator random(seed);
  return parameter(normal({1, positions, features}, random, 0, 1, DType::f64));
}

nn::LayerOptions layer() {
  return {.model = width, .heads = 2, .hidden = 16, .placement = nn::NormPlacement::pre, .dtype = DType::f64};
}

Tensor encoder() {
  Generator g(1);
  nn::EncoderLayer model(nn::ScaledDotProduct{}, layer(), g);
  const Variable x = sequence(length, width, 2);
  return influence(model(x).output, x).sizes;
}

Tensor decoder(const nn::Mask& mask) {
  Generator g(1);
  nn::DecoderStack model(nn::ScaledDotProduct{}, {.layers = 2, .layer = layer()}, g);
  const Variable x = sequence(length, width, 2);
  return influence(model(x, mask).output, x).sizes;
}

// Of what an encoder has made of a source of 12 words on the 8 words that a decoder writes.
Tensor memory_to_output() {
  Generator g(1);
  nn::DecoderLayer model(nn::ScaledDotProduct{}, nn::ScaledDotProduct{}, layer(), g);
  const Variable x = sequence(8, width, 2), memory = sequence(length, width, 3);
  return influence(model(x, memory, nn::Mask::causal()).output, memory).sizes;
}

Tensor gru() {
  Generator g(1);
  nn::GRU model(ResetGate::after_product, {.in = width, .hidden = width, .dtype = DType::f64}, g);
  const Variable x = sequence(length, width, 2);
  return influence(model(x).output, x).sizes;
}

Tensor both_ways() {
  Generator g(1);
  nn::LSTM model({.in = width, .hidden = width, .bidirectional = true, .dtype = DType::f64}, g);
  const Variable x = sequence(length, width, 2);
  return influence(model(x).output, x).sizes;
}

// Two convolutions, one behind the other, that look at three positions each, so many apart.
Tensor convolutions(std::int64_t first, std::int64_t second) {
  Generator g(1);
  const auto convolution = [&](std::int64_t apart) {
    return nn::Conv1d(
        {.in = width, .out = width, .kernel = 3, .padding = apart, .dilation = apart, .dtype = DType::f64}, g);
  };
  const nn::Conv1d below = convolution(first), above = convolution(second);
  const Variable x = sequence(length, width, 2), channels = transpose(x, 1, 2);
  return influence(transpose(above(tanh(below(channels))), 1, 2), x).sizes;
}

// Of the values of points on a line on the predictions there, each from all points but itself.
Tensor regression() {
  const Variable values = sequence(length, 1, 2);
  const Tensor places = reshape(linspace(0, 11, length, DType::f64), {1, length, 1});
  nn::Attention kernel(nn::GaussianKernel::fixed(2));
  return influence(kernel(Variable(places), Variable(places), values, nn::Mask::others()).output, values).sizes;
}

// Sizes as parts of the largest, in powers of ten; what has no influence stays empty.
Tensor powers_of_ten(const Tensor& sizes) {
  const Tensor parts = sizes / max(sizes);
  const Tensor seen = greater(parts, 0);
  return where(seen, log(where(seen, parts, 1)) / std::log(10), NAN);
}

plot::Figure influences() {
  struct Map {
    std::string title;
    Tensor sizes;
    std::string inputs = "input", outputs = "output";
  };
  const std::vector<Map> maps{{"encoder layer", encoder()},
                              {"causal decoder", decoder(nn::Mask::causal())},
                              {"window of 3, two layers", decoder(nn::sliding_window(3) & nn::Mask::causal())},
                              {"from encoder to decoder", memory_to_output(), "memory"},
                              {"GRU", gru()},
                              {"LSTM, both ways", both_ways()},
                              {"two convolutions", convolutions(1, 1)},
                              {"two dilated convolutions", convolutions(1, 4)},
                              {"Nadaraya–Watson", regression(), "value", "prediction"}};
  plot::Figure figure({.rows = 3, .columns = 3, .width = 800, .height = 740, .shared_colors = true});
  for (std::size_t i = 0; i < maps.size(); ++i)
    figure.axes(static_cast<int>(i / 3), static_cast<int>(i % 3))
        .heatmap(powers_of_ten(maps[i].sizes), {.title = maps[i].title,
                                                .x = maps[i].inputs,
                                                .y = maps[i].outputs,
                                                .low = -4,
                                                .high = 0,
                                                .bar_label = "influence, log₁₀ of its part of the largest",
                                                .missing = "none"});
  return figure;
}

// Chapter 22, "On paper": how far each number of a table moves with the feature "thing" of birds, times the gradient
// that comes back to it. Over the numbers of any cut they add up to the derivative of the loss.
Tensor contributions(const Variable& loss, const Variable& cut, const Variable& x) {
  std::vector<double> tangents;
  for (std::int64_t i = 0; i < cut.numel(); ++i) {
    const Tensor here =
        reshape(one_hot(tensor(static_cast<double>(i), DType::i64), cut.numel(), DType::f64), cut.shape());
    const GradOptions from_here{.gradients = {Variable(here)}, .keep_graph = true, .allow_unused = true};
    tangents.push_back(to_vector(grad({cut}, {x}, from_here)[0].value())[0]);
  }
  return tensor(tangents, cut.shape(), DType::f64) * grad({loss}, {cut}, {.keep_graph = true})[0].value();
}

plot::Figure cuts() {
  const auto tokens = three_tokens();
  const Variable x = parameter(tokens.x);
  const auto of = [&](const Nested& w) { return matmul(x, Variable(numbers(w))); };
  const Variable q = unit(2) * of({{-1, -1}, {1, 0}}), k = of({{1, 0}, {0, 1}}), v = of({{0, 12}, {6, 0}});
  const Variable output = nn::Attention(nn::ScaledDotProduct{})(q, k, v, nn::Mask::causal()).output;
  const Variable off = slice(output, 0, 1, 3) - slice(v.value(), 0, 0, 2), loss = sum(square(off));

  const auto whole = [&](const Variable& cut) { return sum(contributions(loss, cut, x)).item(); };
  struct Cut {
    std::string title;
    std::vector<std::string> names;
    std::vector<double> parts;
  };
  const std::vector<Cut> all{
      {"where x is used", {"queries", "keys", "values"}, {whole(q), whole(k), whole(v)}},
      {"at the outputs", {"birds", "love", "singing"}, to_vector(sum(contributions(loss, output, x), 1))},
      {"at the differences", {"love₁", "love₂", "singing₁", "singing₂"}, to_vector(contributions(loss, off, x))}};
  plot::Figure figure({.columns = 3,
                       .width = 800,
                       .height = 320,
                       .title = "at each cut the bars add up to 25.5, the derivative of the loss"});
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<double> places;
    for (std::size_t n = 0; n < all[i].parts.size(); ++n) places.push_back(static_cast<double>(n));
    const double last = places.back() + 0.6;
    const double total = std::accumulate(all[i].parts.begin(), all[i].parts.end(), 0.0);
    plot::Axes& axes = figure.axes(0, static_cast<int>(i));
    std::vector<double> above, below;
    for (std::size_t n = 0; n < places.size(); ++n) {
      const double part = all[i].parts[n], height_of_label = 27;
      axes.note(places[n], part < 0 ? part - height_of_label : part, plot::number(part, 1), plot::Align::center);
      above.push_back(std::max(part, 0.0)), below.push_back(std::min(part, 0.0));
    }
    axes.bars(places, above)
        .bars(places, below)
        .line({-0.6, last}, {total, total},
              {.label = i + 1 < all.size() ? "" : fmt::format("sum {:.1f}", total), .color = plot::ink, .dashed = true})
        .title(all[i].title)
        .x_tokens(all[i].names)
        .x_range(-0.6, last)
        .y_range(-120, 140);
  }
  figure.axes(0, 0).y_label("contribution");
  return figure;
}

}  // namespace

std::vector<Picture> figures_22() { return {{"cuts.svg", cuts}, {"influences.png", influences}}; }

}  // namespace regard::book
