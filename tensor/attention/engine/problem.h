#pragma once

#include "tensor/attention/engine/masking.h"
#include "tensor/loops/patch.h"

namespace regard::engine {

// With the numbers of a row side by side.
inline Tensor with_dense_rows(const Tensor& x) {
  return x.strides().back() == 1 || x.shape().back() == 1 ? x : contiguous(x);
}

// The rows of one matrix, (L, size): row i from data + i·step on, its numbers side by side.
template <class T>
struct MatrixRows {
  const T* data;
  std::int64_t step;
};

// A tile of one matrix, cut down to the keys that some of its queries see, from its key `left` on.
template <class T>
struct SeenPart {
  Tile<T> tile;
  std::int64_t matrix, left;

  bool is_empty() const { return tile.real_keys <= 0; }
  void set_queries(const MatrixRows<T>& q) {  // the first of its queries stands at q.data
    tile.q = q.data;
    tile.q_step = q.step;
  }
};

// How many heads share keys and values; and the shape that keys would have with a copy for each head.
inline std::int64_t heads_that_share(const AttentionInputs& in) {
  const bool are_shared = in.q.rank() >= 4 && in.k.size(-3) > 0;
  return are_shared ? in.q.size(-3) / in.k.size(-3) : 1;
}
inline Shape keys_of_all_heads(const AttentionInputs& in) {
  return in.k.rank() >= 4 ? in.k.shape().with(-3, in.q.size(-3)) : in.k.shape();
}

// The inputs of attention as the passes over tiles see them: matrices in memory, numbered through the axes in front.
template <class T>
class AttentionProblem {
 public:
  explicit AttentionProblem(const AttentionInputs& in);

  const Matrices axes;
  const std::int64_t matrices, queries, keys, features, value_size;
  const Masking<T> masking;
  const std::optional<WeightDropout> dropout;

  // Whether each key has its own: by shape, not by strides, as keys that repeat the same numbers still want a gradient
  // each.
  bool parameters_per_key = false;

  // Whether a pair that is hidden, or of weight or gradient 0, is skipped, and not multiplied by 0. That takes longer.
  // It is needed where the other factor may be NaN or infinite, since 0·NaN is NaN.
  bool skips_zeros;

  MatrixRows<T> q(std::int64_t matrix) const { return rows(q_, matrix); }
  MatrixRows<T> k(std::int64_t matrix) const { return rows(k_, matrix, sharing_); }
  MatrixRows<T> v(std::int64_t matrix) const { return rows(v_, matrix, sharing_); }
  // The same for any (…, L, size) with these axes in front, or with fewer heads, each of which serves `sharing` heads.
  MatrixRows<T> rows(const Tensor& x, std::int64_t matrix, std::int64_t sharing = 1) const {
    return {x.data<T>() + axes.offset(x.strides(), matrix, sharing), x.strides().back(2)};
  }

  // How many queries and keys make a tile. All its queries are computed with each key that one of them sees: so there
  // are fewer queries where each sees other keys.
  BlockSize block_of(const TileScore<T>& score) const;

  // A tile of all queries of a matrix against some keys, which are transposed into `keys`, and their parameters; each
  // memory holds features × step_of_rows(count) numbers. Keys are multiplied by `factor`.
  Tile<T> tile_of_keys(std::int64_t matrix, std::int64_t first_key, std::int64_t count, T* keys, T* parameters,
                       double factor) const;

  // Some queries of such a tile, and what they see of it. The queries themselves are still to be set.
  SeenPart<T> seen_part(const Tile<T>& tile, std::int64_t matrix, std::int64_t first_query, std::int64_t count) const;

  // What dropout multiplies `count` weights of a query by.
  void draw_dropout(std::int64_t matrix, std::int64_t query, std::int64_t first_key, std::int64_t count,
                    T* factors) const;

  // From one line of numbers to the next: they are filled up behind their ends, so that whole registers can be read.
  std::int64_t line_length() const { return queries + keys + key_multiple<T>; }
  std::int64_t line_count() const { return lines_.defined() ? lines_.size(0) / 2 : 0; }

 private:
  void set_lines(const std::vector<PairLine>& lines);
  void set_parameters(Tile<T>& tile, std::int64_t matrix, std::int64_t count, T* memory) const;

  Tensor q_, k_, v_, parameters_;
  Tensor lines_;           // of all matrices side by side, and then the rests: (2·count, matrices, line length)
  std::int64_t position_;  // of the first query
  std::int64_t sharing_;   // so many heads share keys and values
};

// Rows [first, first + count), side by side: copied into `memory` if they are not. Those of a head lie far apart, and
// would meet in the same few lines of the cache.
template <class T>
MatrixRows<T> dense_rows(const MatrixRows<T>& from, std::int64_t first, std::int64_t count, std::int64_t size,
                         T* memory) {
  const T* rows = from.data + first * from.step;
  if (from.step == size) return {rows, size};
  loops::copy_patch(memory, {count, size, size, 1}, rows, {count, size, from.step, 1});
  return {memory, size};
}

// `count` rows as columns, `step` apart: as tiles have their keys. What is left of a column is filled with copies of
// its last number.
template <class T>
void transpose_rows(const MatrixRows<T>& from, std::int64_t count, std::int64_t size, T* columns, std::int64_t step) {
  loops::copy_patch(columns, {count, size, 1, step}, from.data, {count, size, from.step, 1});
  for (std::int64_t c = 0; c < size; ++c) {
    T* row = columns + c * step;
    std::fill(row + count, row + step, row[count - 1]);
  }
}

}  // namespace regard::engine
