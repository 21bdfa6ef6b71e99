#include "tensor/attention/engine/weights.h"

#include "tensor/attention/engine/problem.h"
#include "tensor/attention/engine/softmax_rows.h"
#include "tensor/create.h"
#include "tensor/memory/scratch.h"
#include "tensor/threads/parallel.h"

#include <cmath>

namespace regard {

using namespace engine;

namespace {

// The weights of one query after another, a tile at a time: use(query, first key, weights, how many).
template <class T, class Queries, class Use>
void for_weights(const AttentionProblem<T>& in, const TileScore<T>& score, const AttentionForward& made,
                 std::int64_t matrix, const Queries& queries, const Use& use) {
  const std::int64_t width = score.block(in.features).keys, step = step_of_rows<T>(width);
  Scratch<T> keys(in.features * step), parameters(in.features * step), row(step);
  const MatrixRows<T> q = in.q(matrix);
  for (std::int64_t j = 0; j < in.keys; j += width) {
    const std::int64_t count = std::min(width, in.keys - j);
    const Tile<T> all = in.tile_of_keys(matrix, j, count, keys.data(), parameters.data(), score.key_factor());
    for (const std::int64_t i : queries) {
      Tile<T> one = all;
      one.queries = 1;
      one.q = q.data + i * q.step;
      one.first_query += i;
      one.first_row = i;
      if (one.lines) one.lines -= i;
      const ScoreBlock block{matrix, i, 1, j, count, all.k_step};
      score.scores(one, row.data());
      in.masking.apply(block, one.keys, row.data());
      row_powers(row.data(), one.keys, made.shifts.data<T>()[matrix * in.queries + i]);
      const T share = made.shares.data<T>()[matrix * in.queries + i];
      for (std::int64_t n = 0; n < count; ++n) row.data()[n] *= share;
      if (!std::isfinite(share)) in.masking.clear_hidden(block, i, one.keys, row.data());
      use(i, j, row.data(), count);
    }
  }
}

}  // namespace

template <class T>
Tensor attention_rows(const AttentionInputs& inputs, const TileScore<T>& score, const AttentionForward& made,
                      const std::vector<std::int64_t>& queries) {
  const AttentionProblem<T> in(inputs);
  const auto count = static_cast<std::int64_t>(queries.size());
  Shape shape = inputs.q.shape();
  shape[shape.rank() - 2] = count;
  shape[shape.rank() - 1] = in.keys;
  Tensor rows = zeros(shape, inputs.q.dtype());
  T* to = rows.writable<T>();
  parallel_for(in.matrices, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t matrix = begin; matrix < end; ++matrix)
      for (std::int64_t n = 0; n < count; ++n)
        for_weights(in, score, made, matrix, std::vector{queries[static_cast<std::size_t>(n)]},
                    [&](std::int64_t, std::int64_t j, const T* weights, std::int64_t length) {
                      std::copy_n(weights, length, to + (matrix * count + n) * in.keys + j);
                    });
  });
  return rows;
}

template Tensor attention_rows(const AttentionInputs&, const TileScore<float>&, const AttentionForward&,
                               const std::vector<std::int64_t>&);
template Tensor attention_rows(const AttentionInputs&, const TileScore<double>&, const AttentionForward&,
                               const std::vector<std::int64_t>&);

}  // namespace regard
