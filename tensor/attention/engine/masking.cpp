#include "tensor/attention/engine/masking.h"

#include "tensor/loops/walk.h"

#include <algorithm>
#include <limits>

namespace regard::engine {
namespace {

// Whether some query sees another range of keys than the one before it, of the same sequence.
bool ranges_change(const std::vector<KeyRange>& ranges, std::int64_t queries) {
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (static_cast<std::int64_t>(i) % queries != 0 &&
        (ranges[i].first != ranges[i - 1].first || ranges[i].last != ranges[i - 1].last))
      return true;
  return false;
}

}  // namespace

template <class T>
Masking<T>::Masking(const AttentionInputs& in, const Shape& scores)
    : matrices_{scores}, visible_(in.visible), bias_(in.bias) {
  if (visible_.keep.defined()) keep_strides_ = loops::broadcast_strides(visible_.keep, scores);
  if (bias_.defined()) bias_strides_ = loops::broadcast_strides(bias_, scores);
  queries_differ_ = ranges_change(visible_.ranges, scores.back(2));
}

template <class T>
std::int64_t Masking<T>::begin_of(std::int64_t matrix, std::int64_t query) const {
  if (!visible_.begins.empty()) return visible_.begins[static_cast<std::size_t>(first_of(matrix) + query)];
  return seen_by(matrix, 0, matrices_.scores.back(2)).first;
}

template <class T>
std::int64_t Masking<T>::alike(std::int64_t matrix, std::int64_t query, std::int64_t count) const {
  if (visible_.begins.empty()) return count;
  const std::int64_t* begin = visible_.begins.data() + first_of(matrix) + query;
  return std::find_if(begin, begin + count, [&](std::int64_t other) { return other != *begin; }) - begin;
}

template <class T>
KeyRange Masking<T>::seen_by(std::int64_t matrix, std::int64_t first_query, std::int64_t queries) const {
  const KeyRange* range = ranges(matrix);
  const std::int64_t keys = matrices_.scores.back();
  if (!range) return {0, keys};
  KeyRange all{keys, 0};
  for (std::int64_t i = first_query; i < first_query + queries; ++i) {
    const bool sees_some = range[i].first < range[i].last;
    all.first = std::min(all.first, sees_some ? range[i].first : keys);
    all.last = std::max(all.last, sees_some ? range[i].last : 0);
  }
  return {std::max<std::int64_t>(all.first, 0), std::min(all.last, keys)};
}

template <class T>
VisibleRow<T> Masking<T>::row(std::int64_t matrix, std::int64_t query) const {
  VisibleRow<T> row{.range = seen_by(matrix, query, 1)};
  if (visible_.own) row.own = query + *visible_.own;
  if (visible_.keep.defined()) {
    row.keep = row_of(visible_.keep, keep_strides_, matrix, query);
    row.keep_step = keep_strides_.back();
  }
  return row;
}

template <class T>
void Masking<T>::apply(std::int64_t matrix, const Tile<T>& tile, T* scores) const {
  constexpr T hidden = -std::numeric_limits<T>::infinity();
  const KeyRange* range = ranges(matrix);
  for (std::int64_t i = tile.first_row; i < tile.first_row + tile.queries; ++i, scores += tile.k_step) {
    if (bias_.defined()) {
      const std::int64_t step = bias_strides_.back();
      const T* bias = row_of(bias_, bias_strides_, matrix, i) + tile.first_key * step;
      for (std::int64_t j = 0; j < tile.real_keys; ++j) scores[j] += bias[j * step];
    }
    if (visible_.keep.defined()) {
      const std::int64_t step = keep_strides_.back();
      const T* keep = row_of(visible_.keep, keep_strides_, matrix, i) + tile.first_key * step;
      for (std::int64_t j = 0; j < tile.real_keys; ++j) scores[j] = keep[j * step] != 0 ? scores[j] : hidden;
    }
    std::int64_t begin = 0, end = tile.real_keys;
    if (range) {
      begin = std::clamp<std::int64_t>(range[i].first - tile.first_key, 0, tile.real_keys);
      end = std::clamp<std::int64_t>(range[i].last - tile.first_key, begin, tile.real_keys);
    }
    const std::int64_t own = i + visible_.own.value_or(0) - tile.first_key;
    if (visible_.own && own >= 0 && own < tile.real_keys) scores[own] = hidden;
    std::fill(scores, scores + begin, hidden);
    std::fill(scores + end, scores + tile.keys, hidden);
  }
}

template <class T>
void Masking<T>::clear_hidden(std::int64_t matrix, const Tile<T>& tile, std::int64_t query, T* row) const {
  const VisibleRow<T> visible = this->row(matrix, query);
  for (std::int64_t j = 0; j < tile.keys; ++j)
    if (j >= tile.real_keys || !visible.sees(tile.first_key + j)) row[j] = 0;
}

template <class T>
void Masking<T>::add_to_bias(std::int64_t matrix, const Tile<T>& tile, const T* gradient, T* to,
                             const Strides& strides) const {
  to += matrices_.offset(strides, matrix) + tile.first_row * strides.back(2) + tile.first_key * strides.back();
  for (std::int64_t i = 0; i < tile.queries; ++i)
    for (std::int64_t j = 0; j < tile.real_keys; ++j)
      to[i * strides.back(2) + j * strides.back()] += gradient[i * tile.k_step + j];
}

template class Masking<float>;
template class Masking<double>;

}  // namespace regard::engine
