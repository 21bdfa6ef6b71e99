#include "tensor/attention/engine/passes.h"

#include "tensor/attention/engine/problem.h"
#include "tensor/attention/engine/softmax_rows.h"
#include "tensor/create.h"
#include "tensor/memory/scratch.h"
#include "tensor/threads/parallel.h"

#include <cmath>

namespace regard {

using namespace engine;

namespace {

// The weights of some queries, a tile of keys at a time; they go to rows of as many zeros as there are keys.
template <class T>
void put_weights(const AttentionProblem<T>& in, const TileScore<T>& score, const AttentionForward& made,
                 std::int64_t matrix, const std::vector<std::int64_t>& queries, T* to) {
  const std::int64_t width = score.block(in.features).keys, step = step_of_rows<T>(width);
  Scratch<T> keys(in.features * step), parameters(in.features * step), row(step);
  const MatrixRows<T> q = in.q(matrix);
  for (std::int64_t j = 0; j < in.keys; j += width) {
    const std::int64_t count = std::min(width, in.keys - j);
    const Tile<T> all = in.tile_of_keys(matrix, j, count, keys.data(), parameters.data(), score.key_factor());
    for (std::size_t n = 0; n < queries.size(); ++n) {
      const std::int64_t i = queries[n];
      SeenPart<T> part = in.seen_part(all, matrix, i, 1);
      if (part.is_empty()) continue;
      part.set_queries({q.data + i * q.step, q.step});
      score.scores(part.tile, row.data());
      in.masking.apply(matrix, part.tile, row.data());
      row_powers(row.data(), part.tile.keys, made.shifts.data<T>()[matrix * in.queries + i]);
      const T share = made.shares.data<T>()[matrix * in.queries + i];
      for (std::int64_t k = 0; k < part.tile.real_keys; ++k) row.data()[k] *= share;
      if (!std::isfinite(share)) in.masking.clear_hidden(matrix, part.tile, i, row.data());
      const std::int64_t at = static_cast<std::int64_t>(n) * in.keys + part.tile.first_key;
      std::copy_n(row.data(), part.tile.real_keys, to + at);
    }
  }
}

}  // namespace

template <class T>
Tensor attention_rows(const AttentionInputs& inputs, const TileScore<T>& score, const AttentionForward& made,
                      const std::vector<std::int64_t>& queries) {
  const AttentionProblem<T> in(inputs);
  Tensor rows = zeros(inputs.q.shape().with(-2, std::ssize(queries)).with(-1, in.keys), inputs.q.dtype());
  T* to = rows.writable<T>();
  parallel_for(in.matrices, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t matrix = begin; matrix < end; ++matrix)
      put_weights(in, score, made, matrix, queries, to + matrix * std::ssize(queries) * in.keys);
  });
  return rows;
}

// The two that there are; their signature is that of the template.
template decltype(attention_rows<float>) attention_rows<float>;
template decltype(attention_rows<double>) attention_rows<double>;

}  // namespace regard
