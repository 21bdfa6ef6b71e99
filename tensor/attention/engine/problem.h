#pragma once

#include "tensor/attention/engine/inputs.h"
#include "tensor/loops/walk.h"
#include "tensor/matmul/matrix.h"

namespace regard {

// With the numbers of a row side by side.
inline Tensor with_dense_rows(const Tensor& x) {
  return x.strides().back() == 1 || x.shape().back() == 1 ? x : contiguous(x);
}

// The inputs of attention as the kernels see them: matrices in memory, numbered through the axes in front.
template <class T>
class AttentionProblem {
 public:
  explicit AttentionProblem(const AttentionInputs& in);

  std::int64_t matrices, heads, queries, keys, features, value_size;
  bool masks;            // some pairs are
  bool finite;           // what is masked holds no NaN and no infinity, nor does a gradient that goes there
  bool careful = false;  // in gradients; see Tile

  struct Rows {
    const T* data;
    std::int64_t step;
  };
  Rows q(std::int64_t matrix) const { return rows(q_, matrix); }
  Rows k(std::int64_t matrix) const { return rows(k_, matrix); }
  Rows v(std::int64_t matrix) const { return rows(v_, matrix); }
  Rows rows(const Tensor& x, std::int64_t matrix) const;  // of any (…, L, size) with the same axes in front

  // The keys that some query of a block may see.
  KeyRange seen_by(std::int64_t matrix, std::int64_t first_query, std::int64_t count) const;

  // A tile of these queries, the first of which stands at q.data, without its keys and parameters.
  Tile<T> tile(std::int64_t matrix, const Rows& q, std::int64_t first_query, std::int64_t count, std::int64_t first_key,
               std::int64_t key_count) const;

  // The part of a tile that some of its queries see, [first, first + count): `keys` of them from `left` on, where a register
  // begins; none if they see nothing of it. Its scores stand at the beginning of their rows.
  struct Part {
    Tile<T> tile;
    std::int64_t left, keys;
  };
  Part seen_part(const Tile<T>& all, std::int64_t real_keys, std::int64_t matrix, std::int64_t first,
                 std::int64_t count) const;

  // Rows [first, first + count), side by side: copied into `memory` if they are not. Those of a head lie far apart, and would
  // meet in the same few lines of the cache.
  static Rows dense_rows(const Rows& from, std::int64_t first, std::int64_t count, std::int64_t size, T* memory);
  // The same as columns, as tiles have their keys: filled up with copies of the last, and multiplied by `factor`.
  static void transpose_keys(const Rows& from, std::int64_t first, std::int64_t count, std::int64_t size, T* columns,
                             std::int64_t step, T factor);
  // The parameters of a tile, into memory for features × step numbers.
  void set_parameters(Tile<T>& tile, T* memory) const;

  // Adds the bias to the scores of a tile, and makes those that are masked −∞.
  void mask(const Tile<T>& tile, std::int64_t matrix, std::int64_t real_keys, T* scores) const;

  // The same key by key, for a query of which softmax has no answer; and for a row of a tile that has become NaN, and must be
  // 0 where it is masked.
  struct RowSight {
    KeyRange range;
    std::int64_t hidden = -1;
    const T* keep = nullptr;
    std::int64_t step = 0;

    bool sees(std::int64_t key) const {
      return key >= range.first && key < range.last && key != hidden && (!keep || keep[key * step] != 0);
    }
    bool sees_any() const {
      for (std::int64_t key = range.first; key < range.last; ++key)
        if (sees(key)) return true;
      return false;
    }
  };
  RowSight row_sight(std::int64_t matrix, std::int64_t query) const;
  void clear_masked(const Tile<T>& tile, std::int64_t matrix, std::int64_t query, std::int64_t real_keys, T* row) const;

  // What dropout multiplies a row of weights by.
  bool drops() const { return dropout_.has_value(); }
  void dropout_row(std::int64_t matrix, std::int64_t query, std::int64_t first_key, std::int64_t count,
                   T* factors) const;

  // Adds the gradient of the scores of a tile to that of the bias.
  void add_to_bias(const Tile<T>& tile, std::int64_t matrix, std::int64_t real_keys, const T* gradient, T* to,
                   const Strides& strides) const;

  // By their shape, not by their strides: keys may share numbers that are yet given one by one, and want their gradients so.
  bool parameters_per_key() const { return per_key_; }

 private:
  std::int64_t offset_of(const Strides& strides, std::int64_t matrix) const;
  const KeyRange* ranges(std::int64_t matrix) const;

  Shape scores_;
  Tensor q_, k_, v_, parameters_, keep_, bias_;
  bool per_key_ = false;
  Strides keep_strides_, bias_strides_;
  std::vector<KeyRange> ranges_;
  bool ranges_per_sequence_;
  std::optional<std::int64_t> hidden_;
  std::int64_t position_;
  std::optional<WeightDropout> dropout_;
};

}  // namespace regard
