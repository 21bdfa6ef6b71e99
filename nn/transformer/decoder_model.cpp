#include "nn/transformer/decoder_model.h"

#include "autograd/ops/view.h"

namespace regard::nn {

DecoderModel::DecoderModel(const AttentionMaker& attention, const DecoderModelOptions& o, Generator& g)
    : embedding(embedding_options(o, o.vocabulary), g),
      decoder(attention, {.layers = o.layers, .layer = o.layer}, g),
      output(make_output(o, o.vocabulary, g)) {}

void DecoderModel::visit(Visitor& v) {
  v("embedding", embedding);
  v("decoder", decoder);
  v("output", output);
}

// book: predict
ModelOutput DecoderModel::predict(const Tensor& tokens, const DecoderCall& call) {
  const std::int64_t position = call.cache ? call.cache->position() : 0;
  auto [x, weights] = decoder(embedding(tokens, position, call.begins), Mask::causal() & call.mask, of_stack(call));
  return {logits_of(call.last ? slice(x, 1, -1) : x, output, embedding.tokens), std::move(weights)};
}

// book: /predict

StackCall of_stack(const DecoderCall& call) {
  return {.weights = call.weights, .head_mask = call.head_mask, .cache = call.cache, .begins = call.begins};
}

}  // namespace regard::nn
