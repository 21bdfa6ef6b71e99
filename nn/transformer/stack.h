#pragma once

#include "nn/transformer/decoder_layer.h"
#include "nn/transformer/encoder_layer.h"

#include <functional>

namespace regard::nn {

struct StackOptions {
  std::int64_t layers;
  LayerOptions layer;
  // A norm after the last layer. Where norms stand before the parts it is needed, since the sum that arrives there has
  // never been normalised: that is the default.
  std::optional<bool> final_norm = {};
};

// What a stack remembers of earlier steps: of each layer, once there has been a step.
struct StackCache {
  std::vector<LayerCache> layers = {};

  std::int64_t length() const { return layers.empty() ? 0 : layers[0].self.length(); }
  void select(const Tensor& sequences);  // those of the batch with these numbers (i64), in this order
};

struct StackCall {
  bool weights = false;         // of all layers are to be returned
  Variable head_mask = {};      // (layers, H)
  StackCache* cache = nullptr;  // the input goes on where the last call ended
};

struct StackOutput {
  Variable output;                    // (B, L, E)
  std::vector<LayerWeights> weights;  // of each layer; empty if not asked for
};

// Makes room in a cache that is new; and one layer's share of a call.
void begin_cache(StackCache* cache, std::size_t layers);
LayerCall call_of_layer(const StackCall& call, std::size_t layer, std::size_t layers);
std::optional<Norm> make_final_norm(const StackOptions& options);

// A score for each layer: a copy of one, which then shares its parameters with all (T5 shares its biases like that), or
// one that is made for each.
template <AnyScore S>
using ScoreMaker = std::function<S(Generator&)>;

template <AnyScore S>
struct EncoderStack {
  std::vector<EncoderLayer<S>> layers;
  std::optional<Norm> norm;

  EncoderStack(const ScoreMaker<S>& score, const StackOptions& o, Generator& g) : norm(make_final_norm(o)) {
    for (std::int64_t i = 0; i < o.layers; ++i) layers.emplace_back(score(g), o.layer, g);
  }
  EncoderStack(const S& score, const StackOptions& o, Generator& g)
      : EncoderStack(ScoreMaker<S>([&](Generator&) { return score; }), o, g) {}

  void visit(Visitor& v) {
    v("layers", layers);
    v("norm", norm);
  }

  StackOutput operator()(const Variable& x, const Mask& mask = {}, const StackCall& call = {}) {
    begin_cache(call.cache, layers.size());
    const ResolvedMask resolved = layers[0].resolve(x, mask, call_of_layer(call, 0, layers.size()));
    StackOutput result{without_padding(x, resolved), {}};
    for (std::size_t i = 0; i < layers.size(); ++i) {
      auto [y, weights] = layers[i].attend(result.output, resolved, call_of_layer(call, i, layers.size()));
      result.output = y;
      if (call.weights) result.weights.push_back(std::move(weights));
    }
    if (norm) result.output = (*norm)(result.output);
    return result;
  }
};

template <AnyScore S, AnyScore Cross = ScaledDotProduct>
struct DecoderStack {
  std::vector<DecoderLayer<S, Cross>> layers;
  std::optional<Norm> norm;

  DecoderStack(const ScoreMaker<S>& score, const StackOptions& o, Generator& g) : norm(make_final_norm(o)) {
    for (std::int64_t i = 0; i < o.layers; ++i) layers.emplace_back(score(g), o.layer, g);
  }
  DecoderStack(const S& score, const StackOptions& o, Generator& g)
      : DecoderStack(ScoreMaker<S>([&](Generator&) { return score; }), o, g) {}

  // With cross-attention.
  DecoderStack(const ScoreMaker<S>& score, const ScoreMaker<Cross>& cross, const StackOptions& o, Generator& g)
      : norm(make_final_norm(o)) {
    for (std::int64_t i = 0; i < o.layers; ++i) layers.emplace_back(score(g), cross(g), o.layer, g);
  }
  DecoderStack(const S& score, const Cross& cross, const StackOptions& o, Generator& g)
      : DecoderStack(ScoreMaker<S>([&](Generator&) { return score; }),
                     ScoreMaker<Cross>([&](Generator&) { return cross; }), o, g) {}

  void visit(Visitor& v) {
    v("layers", layers);
    v("norm", norm);
  }

  StackOutput operator()(const Variable& x, const Mask& mask = {}, const StackCall& call = {}) {
    return (*this)(x, {}, mask, {}, call);
  }
  StackOutput operator()(const Variable& x, const Variable& memory, const Mask& mask = {}, const Mask& memory_mask = {},
                         const StackCall& call = {}) {
    begin_cache(call.cache, layers.size());
    const auto masks = layers[0].resolve(x, memory, mask, memory_mask, call_of_layer(call, 0, layers.size()));
    StackOutput result{without_padding(x, masks.self), {}};
    for (std::size_t i = 0; i < layers.size(); ++i) {
      auto [y, weights] = layers[i].attend(result.output, memory, masks, call_of_layer(call, i, layers.size()));
      result.output = y;
      if (call.weights) result.weights.push_back(std::move(weights));
    }
    if (norm) result.output = (*norm)(result.output);
    return result;
  }
};

}  // namespace regard::nn
