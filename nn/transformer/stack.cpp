#include "nn/transformer/stack.h"

#include "autograd/ops/view.h"
#include "nn/layers/require.h"

namespace regard::nn {
namespace {

// Makes room in a cache that is new.
void begin_cache(StackCache* cache, std::size_t layers) {
  if (cache && cache->layers.empty()) cache->layers.resize(layers);
}

// One layer's share of a call.
LayerCall call_of_layer(const StackCall& call, std::size_t layer, std::size_t layers) {
  if (call.cache && call.cache->layers.size() != layers)
    fail<ValueError>("transformer: a cache of {} layers is given to a stack of {}", call.cache->layers.size(), layers);
  LayerCall one{
      .weights = call.weights, .cache = call.cache ? &call.cache->layers[layer] : nullptr, .begins = call.begins};
  if (!call.head_mask.defined()) return one;
  if (call.head_mask.rank() != 2 || call.head_mask.size(0) != static_cast<std::int64_t>(layers))
    fail<ShapeError>("transformer: head_mask {} for {} layers: it must be (layers, heads)", call.head_mask.shape(),
                     layers);
  one.head_mask = select(call.head_mask, 0, static_cast<std::int64_t>(layer));
  return one;
}

std::optional<Norm> make_final_norm(const StackOptions& o) {
  require_positive("transformer", {{"layers", o.layers}});
  const LayerOptions& l = o.layer;
  if (!o.final_norm.value_or(l.placement != NormPlacement::post)) return {};
  return Norm({.size = l.model, .kind = l.norm, .epsilon = l.epsilon, .bias = l.bias, .dtype = l.dtype});
}

// x through all layers, forward(layer, x, call), and through the norm behind them.
template <class Stack, class Forward>
StackOutput through(Stack& stack, const Variable& x, const Mask& given, const StackCall& call, const Forward& forward) {
  begin_cache(call.cache, stack.layers.size());
  const Mask mask = call.begins.defined() ? given & Mask::valid_from(call.begins) : given;
  StackOutput result{without_padding(x, mask, call.cache ? call.cache->position() : 0), {}};
  for (std::size_t i = 0; i < stack.layers.size(); ++i) {
    auto [y, weights] = forward(stack.layers[i], result.output, mask, call_of_layer(call, i, stack.layers.size()));
    result.output = y;
    if (call.weights) result.weights.push_back(std::move(weights));
  }
  if (stack.norm) result.output = (*stack.norm)(result.output);
  return result;
}

}  // namespace

void StackCache::select(const Tensor& sequences) {
  for (LayerCache& layer : layers) {
    layer.self.select(sequences);
    layer.cross.select(sequences);
  }
}

EncoderStack::EncoderStack(const AttentionMaker& attention, const StackOptions& o, Generator& g)
    : norm(make_final_norm(o)) {
  for (std::int64_t i = 0; i < o.layers; ++i) layers.emplace_back(attention, o.layer, g, i);
}

void EncoderStack::visit(Visitor& v) {
  v("layers", layers);
  v("norm", norm);
}

StackOutput EncoderStack::operator()(const Variable& x, const Mask& mask, const StackCall& call) {
  return through(*this, x, mask, call,
                 [](EncoderLayer& layer, const Variable& in, const Mask& all, const LayerCall& its) {
                   return layer.forward(in, all, its);
                 });
}

DecoderStack::DecoderStack(const AttentionMaker& attention, const StackOptions& o, Generator& g)
    : norm(make_final_norm(o)) {
  for (std::int64_t i = 0; i < o.layers; ++i) layers.emplace_back(attention, o.layer, g, i);
}

DecoderStack::DecoderStack(const AttentionMaker& attention, const AttentionMaker& cross, const StackOptions& o,
                           Generator& g)
    : norm(make_final_norm(o)) {
  for (std::int64_t i = 0; i < o.layers; ++i) layers.emplace_back(attention, cross, o.layer, g, i);
}

void DecoderStack::visit(Visitor& v) {
  v("layers", layers);
  v("norm", norm);
}

StackOutput DecoderStack::operator()(const Variable& x, const Variable& memory, const Mask& mask,
                                     const Mask& memory_mask, const StackCall& call) {
  return through(*this, x, mask, call,
                 [&](DecoderLayer& layer, const Variable& in, const Mask& all, const LayerCall& its) {
                   return layer.forward(in, memory, all, memory_mask, its);
                 });
}

}  // namespace regard::nn
