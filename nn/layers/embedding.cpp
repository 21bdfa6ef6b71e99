#include "nn/layers/embedding.h"

#include "autograd/ops/index.h"
#include "autograd/ops/view.h"
#include "nn/layers/require.h"
#include "tensor/random.h"
#include "tensor/view.h"

namespace regard::nn {

Embedding::Embedding(const EmbeddingOptions& o, Generator& generator) {
  require_positive("Embedding", {{"count", o.count}, {"size", o.size}});
  weight = parameter(normal({o.count, o.size}, generator, 0, 1, o.dtype));
}

Variable Embedding::operator()(const Tensor& indexes) const {
  require_indexes("Embedding", indexes);
  Shape shape = indexes.shape();
  shape.push_back(weight.size(1));
  return reshape(index_select(weight, 0, flatten(indexes)), shape);
}

}  // namespace regard::nn
