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

// Layers of a transformer, each with its own attention. Symbols and noise look different, so none needs positions.
struct Layers : Racer {
  std::vector<nn::EncoderLayer> layers;

  Layers(const std::vector<nn::AttentionMaker>& attentions, std::int64_t width, Generator& g) : Racer(width, g) {
    const nn::LayerOptions one{.model = width, .heads = 1, .hidden = 2 * width, .placement = nn::NormPlacement::pre};
    for (const nn::AttentionMaker& attention : attentions) layers.emplace_back(attention, one, g);
  }
  void visit(nn::Visitor& v) override {
    Racer::visit(v);
    v("layers", layers);
  }
  Variable last(const Variable& x) override {
    Variable y = x;
    for (nn::EncoderLayer& layer : layers) y = layer(y, nn::Mask::causal()).output;
    return select(y, 1, -1);
  }
  // The delta rule, too, is recorded as one operation: here it goes from token to token.
  Variable last_of(const std::vector<Variable>& tokens) override {
    std::vector<Variable> parts;
    for (const Variable& token : tokens) parts.push_back(unsqueeze(token, 1));
    for (nn::EncoderLayer& layer : layers) {
      if (layer.attention.held_type() != typeid(nn::DeltaAttention)) parts = {cat(parts, 1)};
      nn::Cache cache;
      for (Variable& x : parts) x = layer(x, nn::Mask::causal(), {.cache = &cache}).output;
    }
    return select(parts.back(), 1, -1);
  }
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
  const auto layers = [](const std::vector<bool>& has_state) {
    return [has_state](std::int64_t width, std::int64_t, Generator& g) -> Made {
      const auto delta = [width](std::int64_t, Generator& own) -> nn::AnyAttention {
        return nn::DeltaAttention({.model = width, .heads = 1, .fading = nn::Fading::none}, own);
      };
      std::vector<nn::AttentionMaker> makers;
      for (const bool is_delta : has_state)
        makers.push_back(is_delta ? nn::AttentionMaker(delta) : nn::AttentionMaker(nn::ScaledDotProduct{}));
      return std::make_unique<Layers>(makers, width, g);
    };
  };
  return {{"RNN", plot::color_of_rnn, "n·d²", rnn, 1, one},
          {"GRU", plot::color_of_gru, "n·d²", gru, 1, one},
          {"CNN, stacked", plot::series_colors[4], "k·n·d²", convolutions(1), race_layers, stacked_layers},
          {"CNN, dilated", plot::series_colors[5], "k·n·d²", convolutions(window), race_layers, dilated_layers},
          {"attention", plot::color_of_attention, "n²·d + n·d²", layers({false}), 1, one},
          {"delta rule", plot::color_of_delta_rule, "n·d²", layers({true}), 1, one},
          {"delta, attention", plot::series_colors[6], "n²·d + n·d²", layers({true, false}), 2, one}};
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
