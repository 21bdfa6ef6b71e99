#pragma once

#include "nn/transformer/decoder_layer.h"

namespace regard::nn {

struct StackOptions {
  std::int64_t layers;
  LayerOptions layer;
};

// What a layer remembers of earlier steps: its own keys and values, and those of the encoder.
struct LayerCache {
  Cache self, cross;
};

// What a stack remembers of earlier steps, layer by layer; nothing before the first step.
struct StackCache {
  std::vector<LayerCache> layers = {};

  std::int64_t position() const { return layers.empty() ? 0 : layers[0].self.position(); }  // of the next token
  void select(const Tensor& sequences);  // the sequences with these numbers (i64), in this order
};

struct StackCall {
  bool weights = false;         // return those of all layers
  Variable head_mask = {};      // (layers, H)
  StackCache* cache = nullptr;  // the input goes on where the last call ended
  Tensor begins = {};           // (B), i64: where each sequence begins, if they are padded on the left
};

struct StackOutput {
  Variable output;                    // (B, L, E)
  std::vector<LayerWeights> weights;  // of each layer; empty if not asked for
};

// A norm after the last layer, if norms stand before the parts: the sum that arrives there has never been normalised.
std::optional<Norm> make_final_norm(const StackOptions& options);

// What both stacks are made of.
template <class Layer>
struct LayerStack {
  std::vector<Layer> layers;
  std::optional<Norm> norm;

  void visit(Visitor& v) {
    v("layers", layers);
    v("norm", norm);
  }

 protected:
  template <class... Makers>  // for attention, and for cross-attention if there is one
  LayerStack(const StackOptions& options, Generator& generator, const Makers&... makers)
      : norm(make_final_norm(options)) {
    for (std::int64_t i = 0; i < options.layers; ++i) layers.emplace_back(makers..., options.layer, generator, i);
  }
};

struct EncoderStack : LayerStack<EncoderLayer> {
  EncoderStack(const AttentionMaker& attention, const StackOptions& options, Generator& generator)
      : LayerStack(options, generator, attention) {}
  StackOutput operator()(const Variable& x, const Mask& mask = {}, const StackCall& call = {});
};

struct DecoderStack : LayerStack<DecoderLayer> {
  DecoderStack(const AttentionMaker& attention, const StackOptions& options, Generator& generator)
      : LayerStack(options, generator, attention) {}
  // With cross-attention.
  DecoderStack(const AttentionMaker& attention, const AttentionMaker& cross, const StackOptions& options,
               Generator& generator)
      : LayerStack(options, generator, attention, cross) {}

  StackOutput operator()(const Variable& x, const Mask& mask = {}, const StackCall& call = {}) {
    return (*this)(x, {}, mask, {}, call);
  }
  StackOutput operator()(const Variable& x, const Variable& memory, const Mask& mask = {}, const Mask& memory_mask = {},
                         const StackCall& call = {});
};

}  // namespace regard::nn
