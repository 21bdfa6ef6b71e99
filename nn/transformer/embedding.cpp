#include "nn/transformer/embedding.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"
#include "nn/attention/positions/sinusoidal.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <cmath>

namespace regard::nn {
namespace {

void require_options(const TokenEmbeddingOptions& o) {
  if (o.longest < 0) fail<ValueError>("TokenEmbedding: longest = {} must be 0 or more", o.longest);
  if (o.positions == PositionKind::learned && o.longest == 0)
    fail<ValueError>("TokenEmbedding: learned positions need to know the longest sequence");
}

// The positions of tokens (B, L) in their own sequences, (B, L); 0 in the padding before them.
Tensor own_positions(const Tensor& begins, std::int64_t count, std::int64_t offset) {
  const Tensor positions = unsqueeze(arange(count) + static_cast<double>(offset), 0);
  return maximum(positions - unsqueeze(begins, 1), 0);
}

}  // namespace

TokenEmbedding::TokenEmbedding(const TokenEmbeddingOptions& o, Generator& g)
    : tokens({.count = o.vocabulary, .size = o.size, .dtype = o.dtype}, g),
      kind(o.positions),
      longest(o.longest),
      scale(o.scaled ? std::sqrt(static_cast<double>(o.size)) : 1),
      dropout(o.dropout, g) {
  require_options(o);
  const double deviation = 1 / std::sqrt(static_cast<double>(o.size));
  if (o.scaled || o.as_output) assign(tokens.weight, normal({o.vocabulary, o.size}, g, 0, deviation, o.dtype));
  if (kind == PositionKind::learned)
    positions = LearnedPositions({.count = o.longest, .size = o.size, .dtype = o.dtype}, g);
}

Variable TokenEmbedding::operator()(const Tensor& ids, std::int64_t offset, const Tensor& begins) {
  if (ids.rank() != 2) fail<ShapeError>("TokenEmbedding: tokens {}: they must be (B, L)", ids.shape());
  if (begins.defined() && begins.shape() != Shape{ids.size(0)})
    fail<ShapeError>("TokenEmbedding: begins {} for tokens {}: it must be (B)", begins.shape(), ids.shape());
  if (longest > 0 && offset + ids.size(1) > longest)
    fail<ValueError>("TokenEmbedding: tokens {} from position {} on: the longest sequence has {}", ids.shape(), offset,
                     longest);
  const Variable rows = tokens(ids);
  return dropout(with_positions(scale == 1 ? rows : rows * scale, offset, begins));
}

Variable TokenEmbedding::with_positions(const Variable& rows, std::int64_t offset, const Tensor& begins) const {
  if (kind == PositionKind::none) return rows;
  const bool learned = kind == PositionKind::learned;
  if (!begins.defined()) return learned ? (*positions)(rows, offset) : SinusoidalPositions{}(rows, offset);
  const std::int64_t count = rows.size(1);
  const Variable table =
      learned ? positions->table : Variable(sinusoidal_table(offset + count, rows.size(2), 0, rows.dtype()));
  return rows + reshape(index_select(table, 0, flatten(own_positions(begins, count, offset))), rows.shape());
}

Variable logits_of(const Variable& x, const std::optional<Linear>& output, const Embedding& tokens) {
  return output ? (*output)(x) : linear(x, tokens.weight);
}

}  // namespace regard::nn
