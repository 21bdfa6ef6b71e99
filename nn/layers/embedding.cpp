#include "nn/layers/embedding.h"

#include "autograd/ops/index.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/layers/require.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

namespace regard::nn {
namespace {

void require_rows(const Tensor& indexes, std::int64_t count) {
  require_indexes("Embedding", indexes);
  if (indexes.numel() == 0) return;
  const double low = min(indexes).item(), high = max(indexes).item();
  if (low < 0 || high >= static_cast<double>(count))
    fail<ValueError>("Embedding: the index {} is outside the {} rows of the table", low < 0 ? low : high, count);
}

}  // namespace

Embedding::Embedding(const EmbeddingOptions& o, Generator& generator) {
  require_positive("Embedding", {{"count", o.count}, {"size", o.size}});
  weight = parameter(normal({o.count, o.size}, generator, 0, 1, o.dtype));
}

Variable Embedding::operator()(const Tensor& indexes) const {
  require_rows(indexes, weight.size(0));
  Shape shape = indexes.shape();
  shape.push_back(weight.size(1));
  const Variable rows = index_select(weight, 0, flatten(indexes));
  return reshape(rows.dtype() == DType::bf16 ? to(rows, DType::f32) : rows, shape);
}

}  // namespace regard::nn
