#pragma once

#include "nn/transformer/decoder_layer.h"

namespace regard::nn {

struct StackOptions {
  std::int64_t layers;
  LayerOptions layer;
  // A norm after the last layer. By default there is one if norms stand before the parts: the sum that arrives there
  // has then never been normalised.
  std::optional<bool> final_norm = {};
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

struct EncoderStack {
  std::vector<EncoderLayer> layers;
  std::optional<Norm> norm;

  EncoderStack(const AttentionMaker& attention, const StackOptions& options, Generator& generator);
  void visit(Visitor& v);
  StackOutput operator()(const Variable& x, const Mask& mask = {}, const StackCall& call = {});
};

struct DecoderStack {
  std::vector<DecoderLayer> layers;
  std::optional<Norm> norm;

  DecoderStack(const AttentionMaker& attention, const StackOptions& options, Generator& generator);
  // With cross-attention.
  DecoderStack(const AttentionMaker& attention, const AttentionMaker& cross, const StackOptions& options,
               Generator& generator);
  void visit(Visitor& v);

  StackOutput operator()(const Variable& x, const Mask& mask = {}, const StackCall& call = {}) {
    return (*this)(x, {}, mask, {}, call);
  }
  StackOutput operator()(const Variable& x, const Variable& memory, const Mask& mask = {}, const Mask& memory_mask = {},
                         const StackCall& call = {});
};

}  // namespace regard::nn
