#include "nn/layers/embedding.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "nn/layers/require.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
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

Embedding::Embedding(const EmbeddingOptions& o, Generator& generator) : padding_row(o.padding_row) {
  require_positive("Embedding", {{"count", o.count}, {"size", o.size}});
  Tensor rows = normal({o.count, o.size}, generator, 0, 1, o.dtype);
  if (padding_row) {
    const std::int64_t row = *padding_row;
    if (row < 0 || row >= o.count) fail<ValueError>("Embedding: padding_row {} is outside the {} rows", row, o.count);
    rows = where(unsqueeze(equal(arange(o.count), static_cast<double>(row)), 1), 0, rows);
  }
  weight = parameter(rows);
}

Variable Embedding::operator()(const Tensor& indexes) const {
  require_rows(indexes, weight.size(0));
  Shape shape = indexes.shape();
  shape.push_back(weight.size(1));
  const Tensor each = flatten(indexes);
  Variable rows = index_select(weight, 0, each);
  if (rows.dtype() == DType::bf16) rows = to(rows, DType::f32);
  if (padding_row) {
    const Tensor is_padding = unsqueeze(equal(each, static_cast<double>(*padding_row)), 1);
    rows = where(is_padding, detach(rows), rows);
  }
  return reshape(rows, shape);
}

}  // namespace regard::nn
