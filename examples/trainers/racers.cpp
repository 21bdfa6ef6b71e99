#include "examples/trainers/racers.h"

namespace regard::race {
namespace {

constexpr std::int64_t window = 3;  // k
constexpr std::int64_t race_layers = 4;

// RNN or GRU.
template <class Network>
struct Recurrent : Racer {
  Network network;

  template <class Variant>
  Recurrent(Variant variant, std::int64_t width, Generator& g)
      : Racer(width, g), network(variant, {.in = width, .hidden = width}, g) {}
  void visit(nn::Visitor& v) override {
    Racer::visit(v);
    v("network", network);
  }
  Variable last(const Variable& x) override { return squeeze(network(x).h, 0); }
  // A sequence is recorded as one operation. Step by step it computes the same, to the last bit.
  Variable last_of(const std::vector<Variable>& tokens) override {
    Variable h = zeros(tokens[0].shape(), tokens[0].dtype());
    for (const Variable& token : tokens) h = network.stack.cells[0](token, h);
    return h;
  }
};

// Windows that end where they answer: position i sees i, i − dilation, i − 2·dilation. With each layer the dilation
// grows by the factor `growth`.
struct Convolutions : Racer {
  std::vector<nn::Conv1d> layers;

  Convolutions(std::int64_t growth, std::int64_t width, std::int64_t count, Generator& g) : Racer(width, g) {
    for (std::int64_t i = 0, dilation = 1; i < count; ++i, dilation *= growth)
      layers.emplace_back(nn::Conv1dOptions{.in = width, .out = width, .kernel = window, .dilation = dilation}, g);
  }
  void visit(nn::Visitor& v) override {
    Racer::visit(v);
    v("layers", layers);
  }
  Variable last(const Variable& x) override {
    Variable y = transpose(x);  // (B, E, L)
    for (const nn::Conv1d& layer : layers) {
      const std::int64_t before = (window - 1) * layer.window.dilation.width;
      y = relu(layer(pad(y, {{0, 0}, {0, 0}, {before, 0}})));
    }
    return select(y, 2, -1);
  }
};

// A layer of a transformer. Symbols and noise look different, so it needs no positions.
struct SelfAttention : Racer {
  nn::EncoderLayer layer;

  SelfAttention(std::int64_t width, Generator& g)
      : Racer(width, g),
        layer(nn::ScaledDotProduct{},
              {.model = width, .heads = 1, .hidden = 2 * width, .placement = nn::NormPlacement::pre}, g) {}
  void visit(nn::Visitor& v) override {
    Racer::visit(v);
    v("layer", layer);
  }
  Variable last(const Variable& x) override { return select(layer(x).output, 1, -1); }
};

// A stack of windows of k sees k − 1 more positions with each layer.
std::int64_t stacked_layers(std::int64_t distance) { return (distance + window - 2) / (window - 1); }

// With the dilations 1, k, k², … each layer sees k times as many.
std::int64_t dilated_layers(std::int64_t distance) {
  std::int64_t layers = 0;
  for (std::int64_t seen = 1; seen <= distance; seen *= window) ++layers;
  return layers;
}

}  // namespace

Batch draw_batch(std::int64_t count, std::int64_t distance, Generator& generator) {
  const Tensor first = randint({count, 1}, generator, 0, symbols);
  const Tensor noise = randint({count, distance}, generator, symbols, symbols + noises);
  return {cat({first, noise}, 1), squeeze(first, 1)};
}

Racer::Racer(std::int64_t width, Generator& g)
    : embedding({.count = symbols + noises, .size = width}, g), out({.in = width, .out = symbols}, g) {}

void Racer::visit(nn::Visitor& v) {
  v("embedding", embedding);
  v("out", out);
}

std::vector<Kind> kinds() {
  using Made = std::unique_ptr<Racer>;
  const auto one = [](std::int64_t) -> std::int64_t { return 1; };
  const auto rnn = [](std::int64_t width, std::int64_t, Generator& g) -> Made {
    return std::make_unique<Recurrent<nn::RNN>>(RnnActivation::tanh, width, g);
  };
  const auto gru = [](std::int64_t width, std::int64_t, Generator& g) -> Made {
    return std::make_unique<Recurrent<nn::GRU>>(ResetGate::after_product, width, g);
  };
  const auto convolutions = [](std::int64_t growth) {
    return [growth](std::int64_t width, std::int64_t layers, Generator& g) -> Made {
      return std::make_unique<Convolutions>(growth, width, layers, g);
    };
  };
  const auto attention = [](std::int64_t width, std::int64_t, Generator& g) -> Made {
    return std::make_unique<SelfAttention>(width, g);
  };
  return {{"RNN", "n·d²", rnn, 1, one},
          {"GRU", "n·d²", gru, 1, one},
          {"CNN, stacked", "k·n·d²", convolutions(1), race_layers, stacked_layers},
          {"CNN, dilated", "k·n·d²", convolutions(window), race_layers, dilated_layers},
          {"attention", "n²·d + n·d²", attention, 1, one}};
}

std::int64_t widest(const Kind& kind, std::int64_t most_numbers) {
  Generator any(1);
  const auto fits = [&](std::int64_t width) {
    return nn::parameter_count(*kind.make(width, kind.layers, any)) <= most_numbers;
  };
  std::int64_t width = 1;
  while (fits(width + 1)) ++width;
  return width;
}

}  // namespace regard::race
