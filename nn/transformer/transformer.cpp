#include "nn/transformer/transformer.h"

#include "autograd/ops/view.h"
#include "nn/attention/scores/scaled_dot_product.h"

namespace regard::nn {

Transformer::Transformer(const AttentionMaker& attention, const TransformerOptions& o, Generator& g)
    : Transformer(attention, ScaledDotProduct{}, o, g) {}

Transformer::Transformer(const AttentionMaker& attention, const AttentionMaker& cross, const TransformerOptions& o,
                         Generator& g)
    : source(embedding_options(o, o.source_vocabulary), g),
      target(embedding_options(o, o.target_vocabulary), g),
      encoder(attention, {.layers = o.encoder_layers, .layer = o.layer}, g),
      decoder(attention, cross, {.layers = o.decoder_layers, .layer = o.layer}, g),
      output(make_output(o, o.target_vocabulary, g)) {}

void Transformer::visit(Visitor& v) {
  v("source", source);
  v("target", target);
  v("encoder", encoder);
  v("decoder", decoder);
  v("output", output);
}

Encoded Transformer::encode(const Tensor& tokens, const Mask& mask, const StackCall& call) {
  auto [memory, weights] = encoder(source(tokens, 0, call.begins), mask, call);
  return {memory, call.begins.defined() ? mask & Mask::valid_from(call.begins) : mask, std::move(weights)};
}

ModelOutput Transformer::predict(const Tensor& tokens, const Encoded& from, const DecoderCall& call) {
  const std::int64_t position = call.cache ? call.cache->position() : 0;
  auto [x, weights] = decoder(target(tokens, position, call.begins), from.memory, Mask::causal() & call.mask, from.mask,
                              of_stack(call));
  return {logits_of(call.last ? slice(x, 1, -1) : x, output, target.tokens), std::move(weights)};
}

}  // namespace regard::nn
