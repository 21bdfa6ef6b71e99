#include "nn/transformer/stack.h"

#include "autograd/ops/view.h"
#include "nn/layers/require.h"

namespace regard::nn {
namespace {

// One layer's share of a call.
AttentionCall call_of_layer(const StackCall& call, std::size_t layer, std::size_t layers) {
  if (call.cache && call.cache->layers.size() != layers)
    fail<ValueError>("transformer: a cache of {} layers is given to a stack of {}", call.cache->layers.size(), layers);
  AttentionCall one{
      .cache = call.cache ? &call.cache->layers[layer].self : nullptr, .weights = call.weights, .begins = call.begins};
  if (!call.head_mask.defined()) return one;
  if (call.head_mask.rank() != 2 || call.head_mask.size(0) != static_cast<std::int64_t>(layers))
    fail<ShapeError>("transformer: head_mask {} for {} layers: it must be (layers, heads)", call.head_mask.shape(),
                     layers);
  one.head_mask = select(call.head_mask, 0, static_cast<std::int64_t>(layer));
  return one;
}

// x through all layers, forward(layer's number, x, mask, call), and through the norm behind them.
template <class Stack, class Forward>
StackOutput through(Stack& stack, const Variable& x, const Mask& given, const StackCall& call, const Forward& forward) {
  if (call.cache && call.cache->layers.empty()) call.cache->layers.resize(stack.layers.size());
  const Mask mask = call.begins.defined() ? given & Mask::valid_from(call.begins) : given;
  StackOutput result{without_padding(x, mask, call.cache ? call.cache->position() : 0), {}};
  for (std::size_t i = 0; i < stack.layers.size(); ++i) {
    auto [y, weights] = forward(i, result.output, mask, call_of_layer(call, i, stack.layers.size()));
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

std::optional<Norm> make_final_norm(const StackOptions& o) {
  require_positive("transformer", {{"layers", o.layers}});
  if (o.layer.placement == NormPlacement::post) return {};
  return Norm(o.layer);
}

StackOutput EncoderStack::operator()(const Variable& x, const Mask& mask, const StackCall& call) {
  return through(*this, x, mask, call, [&](std::size_t i, const Variable& in, const Mask& all, const auto& its) {
    return layers[i].forward(in, all, its);
  });
}

StackOutput DecoderStack::operator()(const Variable& x, const Variable& memory, const Mask& mask,
                                     const Mask& memory_mask, const StackCall& call) {
  return through(*this, x, mask, call, [&](std::size_t i, const Variable& in, const Mask& all, const auto& its) {
    return layers[i].forward(in, memory, all, memory_mask, its, call.cache ? &call.cache->layers[i].cross : nullptr);
  });
}

}  // namespace regard::nn
