#include "nn/transformer/stack.h"

#include "autograd/ops/view.h"
#include "nn/layers/require.h"

namespace regard::nn {

void StackCache::select(const Tensor& sequences) {
  for (LayerCache& layer : layers) {
    layer.self.select(sequences);
    layer.cross.select(sequences);
  }
}

void begin_cache(StackCache* cache, std::size_t layers) {
  if (cache && cache->layers.empty()) cache->layers.resize(layers);
}

LayerCall call_of_layer(const StackCall& call, std::size_t layer, std::size_t layers) {
  if (call.cache && call.cache->layers.size() != layers)
    fail<ValueError>("transformer: a cache of {} layers is given to a stack of {}", call.cache->layers.size(), layers);
  LayerCall one{.weights = call.weights, .cache = call.cache ? &call.cache->layers[layer] : nullptr};
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
  if (!o.final_norm.value_or(l.placement == NormPlacement::pre)) return {};
  return Norm({.size = l.model, .kind = l.norm, .epsilon = l.epsilon, .bias = l.bias, .dtype = l.dtype});
}

}  // namespace regard::nn
