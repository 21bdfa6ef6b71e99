#pragma once

#include "tensor/attention/engine/inputs.h"
#include "tensor/attention/engine/matrices.h"
#include "tensor/attention/engine/tile.h"

namespace regard::engine {

// What a query sees, key by key: for the few rows that need it.
template <class T>
struct VisibleRow {
  KeyRange range;
  std::int64_t own = -1;    // a key that it does not see
  const T* keep = nullptr;  // its row of the table, if there is one
  std::int64_t keep_step = 0;

  bool sees(std::int64_t key) const {
    return key >= range.first && key < range.last && key != own && (!keep || keep[key * keep_step] != 0);
  }
  bool sees_any() const {
    for (std::int64_t key = range.first; key < range.last; ++key)
      if (sees(key)) return true;
    return false;
  }
};

// Who sees whom, and the bias, as tiles need them.
template <class T>
class Masking {
 public:
  Masking(const AttentionInputs& in, const Shape& scores);

  bool hides() const { return !visible_.is_everything(); }

  bool queries_differ() const { return queries_differ_; }  // whether ranges of one sequence do

  // Where the sums of a query begin to be cut; and how many of `count` queries from it on begin where it does.
  std::int64_t begin_of(std::int64_t matrix, std::int64_t query) const;
  std::int64_t alike(std::int64_t matrix, std::int64_t query, std::int64_t count) const;

  // The keys that some query of a block may see.
  KeyRange seen_by(std::int64_t matrix, std::int64_t first_query, std::int64_t queries) const;
  VisibleRow<T> row(std::int64_t matrix, std::int64_t query) const;

  // Adds the bias to the scores of a tile, and makes −∞ of those that are hidden, and of what is behind the last key.
  void apply(std::int64_t matrix, const Tile<T>& tile, T* scores) const;

  // 0 for what `query` does not see, and for what is behind the last key. row[j] belongs to the tile's key j.
  void clear_hidden(std::int64_t matrix, const Tile<T>& tile, std::int64_t query, T* row) const;

  // Adds the gradient of scores to that of the bias.
  void add_to_bias(std::int64_t matrix, const Tile<T>& tile, const T* gradient, T* to, const Strides& strides) const;

 private:
  std::int64_t first_of(std::int64_t matrix) const {  // the number of its first query among all ranges
    return (visible_.per_sequence ? matrices_.sequence_of(matrix) : 0) * matrices_.scores.back(2);
  }
  const KeyRange* ranges(std::int64_t matrix) const {
    return visible_.ranges.empty() ? nullptr : visible_.ranges.data() + first_of(matrix);
  }
  const T* row_of(const Tensor& x, const Strides& strides, std::int64_t matrix, std::int64_t query) const {
    return x.data<T>() + matrices_.offset(strides, matrix) + query * strides.back(2);
  }

  Matrices matrices_;
  const Visible& visible_;  // of the inputs, which live longer
  Tensor bias_;
  Strides keep_strides_, bias_strides_;
  bool queries_differ_ = false;
};

}  // namespace regard::engine
