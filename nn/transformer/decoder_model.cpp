#include "nn/transformer/decoder_model.h"

#include "autograd/ops/view.h"

namespace regard::nn {

DecoderModel::DecoderModel(const AttentionMaker& attention, const DecoderModelOptions& o, Generator& g)
    : embedding(embedding_options(o, o.vocabulary), g),
      decoder(attention, {.layers = o.layers, .layer = o.layer, .final_norm = o.final_norm}, g),
      output({.size = o.layer.model,
              .vocabulary = o.vocabulary,
              .tied = o.tied,
              .bias = o.output_bias,
              .dtype = o.layer.dtype},
             g) {}

void DecoderModel::visit(Visitor& v) {
  v("embedding", embedding);
  v("decoder", decoder);
  v("output", output);
}

// book: predict
ModelOutput DecoderModel::predict(const Tensor& tokens, const DecoderCall& call) {
  const std::int64_t position = call.cache ? call.cache->position() : 0;
  auto [x, weights] = decoder(embedding(tokens, position, call.begins), mask_of(call),
                              {.weights = call.weights, .head_mask = call.head_mask, .cache = call.cache});
  return {output(call.last ? slice(x, 1, -1) : x, embedding.tokens), std::move(weights)};
}

Mask mask_of(const DecoderCall& call) {
  const Mask mask = Mask::causal() & call.mask;
  return call.begins.defined() ? mask & Mask::valid_from(call.begins) : mask;
}
// book: /predict

}  // namespace regard::nn
