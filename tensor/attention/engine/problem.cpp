#include "tensor/attention/engine/problem.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::engine {

template <class T>
AttentionProblem<T>::AttentionProblem(const AttentionInputs& in)
    : axes{in.q.shape().with(-1, in.k.size(-2))},
      matrices(axes.count()),
      queries(in.q.size(-2)),
      keys(in.k.size(-2)),
      features(in.q.size(-1)),
      value_size(in.v.size(-1)),
      masking(in, axes.scores),
      dropout(in.dropout),
      q_(with_dense_rows(in.q)),
      k_(with_dense_rows(in.k)),
      v_(with_dense_rows(in.v)),
      position_(in.offset),
      sharing_(heads_that_share(in)) {
  skips_zeros = masking.hides() && !(all_finite(q_) && all_finite(k_) && all_finite(v_));
  if (in.parameters.defined()) {
    parameters_ = expand(in.parameters, keys_of_all_heads(in));
    parameters_per_key = keys != 1 && in.parameters.rank() >= 2 && in.parameters.size(-2) == keys;
  }
  if (!in.lines.empty()) set_lines(in.lines);
}

// One row for each line and matrix, however many of them share it: they are short.
template <class T>
void AttentionProblem<T>::set_lines(const std::vector<PairLine>& lines) {
  const std::int64_t count = std::ssize(lines), size = matrices * line_length();
  lines_ = zeros({2 * count, matrices, line_length()}, dtype_of<T>());
  T* line_at = lines_.template writable<T>();
  for (const auto& [numbers, of_tokens] : lines) {
    const Shape shape = q_.shape().without(-1).with(-1, numbers.size(-1));
    const Tensor each = reshape(expand(numbers, shape), {matrices, numbers.size(-1)}), high = to(each, dtype_of<T>());
    const auto put = [&](const Tensor& x, T* at) {
      loops::copy_patch(at, {matrices, x.size(1), line_length(), 1}, x.template data<T>(),
                        {matrices, x.size(1), x.strides()[0], x.strides()[1]});
    };
    put(high, line_at);
    if (of_tokens && each.dtype() != high.dtype())
      put(to(each - to(high, each.dtype()), dtype_of<T>()), line_at + count * size);
    line_at += size;
  }
}

template <class T>
BlockSize AttentionProblem<T>::block_of(const TileScore<T>& score) const {
  constexpr std::int64_t few = 64;
  BlockSize block = score.block(features);
  if (masking.queries_differ()) block.queries = std::min(block.queries, few);
  return block;
}

template <class T>
Tile<T> AttentionProblem<T>::tile_of_keys(std::int64_t matrix, std::int64_t first_key, std::int64_t count, T* columns,
                                          T* parameters, double factor) const {
  Tile<T> tile{
      .queries = queries,
      .keys = padded<T>(count),
      .features = features,
      .real_keys = count,
      .q = nullptr,
      .q_step = 0,
      .k = columns,
      .k_step = step_of_rows<T>(count),
      .first_query = position_,
      .first_key = first_key,
      .head = matrix % axes.heads(),
      .skips_zeros = skips_zeros,
      .lines = line_count() ? lines_.template data<T>() + matrix * line_length() + first_key + queries - 1 : nullptr,
      .lines_step = matrices * line_length(),
      .all_rows = queries,
      .rests = line_count() * matrices * line_length()};
  const MatrixRows<T> from = k(matrix);
  transpose_rows<T>({from.data + first_key * from.step, from.step}, count, features, columns, tile.k_step);
  if (factor != 1)
    for (std::int64_t i = 0; i < features * tile.k_step; ++i) columns[i] *= static_cast<T>(factor);
  set_parameters(tile, matrix, count, parameters);
  return tile;
}

template <class T>
void AttentionProblem<T>::set_parameters(Tile<T>& tile, std::int64_t matrix, std::int64_t count, T* memory) const {
  if (!parameters_.defined()) return;
  tile.parameters = memory;
  tile.parameters_per_key = parameters_per_key;
  const std::int64_t to_key = parameters_.strides().back(2), to_feature = parameters_.strides().back();
  const T* from = parameters_.data<T>() + axes.offset(parameters_.strides(), matrix);
  if (!parameters_per_key) {
    for (std::int64_t c = 0; c < features; ++c) memory[c] = from[c * to_feature];
    return;
  }
  for (std::int64_t c = 0; c < features; ++c) {
    T* row = memory + c * tile.k_step;
    for (std::int64_t j = 0; j < count; ++j) row[j] = from[(tile.first_key + j) * to_key + c * to_feature];
    std::fill(row + count, row + tile.k_step, row[count - 1]);
  }
}

template <class T>
SeenPart<T> AttentionProblem<T>::seen_part(const Tile<T>& all, std::int64_t matrix, std::int64_t first_query,
                                           std::int64_t count) const {
  const KeyRange seen = masking.seen_by(matrix, first_query, count);
  // What is left out on the left is so long that every number of a row stays in its lane when the row is summed up.
  constexpr std::int64_t whole = 2 * key_multiple<T>;
  const std::int64_t left = std::max<std::int64_t>(seen.first - all.first_key, 0) / whole * whole;
  Tile<T> tile = all;
  tile.queries = count;
  tile.first_query += first_query;
  tile.first_key += left;
  tile.first_row = first_query;
  if (tile.lines) tile.lines += left - first_query;
  tile.k += left;
  if (tile.k_rows) tile.k_rows += left * features;
  if (tile.parameters_per_key) tile.parameters += left;
  tile.real_keys = std::min(seen.last - all.first_key, all.real_keys) - left;
  tile.keys = padded<T>(tile.real_keys);
  return {tile, matrix, left};
}

// Four weights, counted in (…, Lq, Lk), share a position of the random stream, as in bernoulli().
template <class T>
void AttentionProblem<T>::draw_dropout(std::int64_t matrix, std::int64_t query, std::int64_t first_key,
                                       std::int64_t count, T* factors) const {
  const double keeps = 1 - dropout->p;
  std::int64_t position = (matrix * queries + query) * keys + first_key;
  const auto below = static_cast<std::uint64_t>(std::llround(keeps * 0x1p32));
  const T kept = static_cast<T>(1 / keeps);
  Generator::Draw bits{};
  for (std::int64_t j = 0; j < count; ++j, ++position) {
    if (j == 0 || position % 4 == 0)
      bits = dropout->generator.at(dropout->generator.position() + static_cast<std::uint64_t>(position / 4));
    const std::uint64_t two = position % 4 < 2 ? bits.first : bits.second;
    factors[j] = (position % 2 == 0 ? two >> 32 : two & 0xFFFFFFFF) < below ? kept : T{0};
  }
}

template class AttentionProblem<float>;
template class AttentionProblem<double>;

}  // namespace regard::engine
