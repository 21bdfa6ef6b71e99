#include "tensor/attention/engine/problem.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/loops/tile.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <cmath>
#include <limits>

namespace regard {
template <class T>
AttentionProblem<T>::AttentionProblem(const AttentionInputs& in)
    : queries(in.q.size(-2)),
      keys(in.k.size(-2)),
      features(in.q.size(-1)),
      value_size(in.v.size(-1)),
      scores_(in.q.shape()),
      q_(with_dense_rows(in.q)),
      k_(with_dense_rows(in.k)),
      v_(with_dense_rows(in.v)),
      keep_(in.sight.keep),
      bias_(in.sight.bias),
      ranges_(in.sight.ranges),
      ranges_per_sequence_(in.sight.per_sequence),
      hidden_(in.sight.hidden),
      position_(in.offset),
      dropout_(in.dropout) {
  scores_[scores_.rank() - 1] = keys;
  matrices = 1;
  for (int axis = 0; axis < scores_.rank() - 2; ++axis) matrices *= scores_[axis];
  heads = scores_.rank() >= 4 ? scores_.back(3) : 1;
  if (in.parameters.defined()) {
    parameters_ = expand(in.parameters, {keys, features});
    per_key_ = keys != 1 && in.parameters.rank() == 2 && in.parameters.size(0) == keys;
  }
  if (keep_.defined()) keep_strides_ = kernels::broadcast_strides(keep_, scores_);
  if (bias_.defined()) bias_strides_ = kernels::broadcast_strides(bias_, scores_);
  masks = keep_.defined() || !ranges_.empty() || hidden_;
  finite = !masks || (all_finite(q_) && all_finite(k_) && all_finite(v_));
}

template <class T>
std::int64_t AttentionProblem<T>::offset_of(const Strides& strides, std::int64_t matrix) const {
  std::int64_t offset = 0;
  for (int axis = scores_.rank() - 3; axis >= 0; --axis) {
    offset += matrix % scores_[axis] * strides[axis];
    matrix /= scores_[axis];
  }
  return offset;
}

template <class T>
typename AttentionProblem<T>::Rows AttentionProblem<T>::rows(const Tensor& x, std::int64_t matrix) const {
  return {x.data<T>() + offset_of(x.strides(), matrix), x.strides().back(2)};
}

template <class T>
const KeyRange* AttentionProblem<T>::ranges(std::int64_t matrix) const {
  if (ranges_.empty()) return nullptr;
  const std::int64_t sequences = scores_.rank() > 2 ? scores_[0] : 1;
  return ranges_.data() + (ranges_per_sequence_ ? matrix / (matrices / sequences) * queries : 0);
}

template <class T>
KeyRange AttentionProblem<T>::seen_by(std::int64_t matrix, std::int64_t first_query, std::int64_t count) const {
  const KeyRange* range = ranges(matrix);
  if (!range) return {0, keys};
  KeyRange all{keys, 0};
  for (std::int64_t i = first_query; i < first_query + count; ++i) {
    if (range[i].first >= range[i].last) continue;
    all.first = std::min(all.first, range[i].first);
    all.last = std::max(all.last, range[i].last);
  }
  return {std::max<std::int64_t>(all.first, 0), std::min(all.last, keys)};
}

template <class T>
Tile<T> AttentionProblem<T>::tile(std::int64_t matrix, const Rows& q, std::int64_t first_query, std::int64_t count,
                                  std::int64_t first_key, std::int64_t key_count) const {
  return {.queries = count,
          .keys = padded<T>(key_count),
          .features = features,
          .q = q.data,
          .q_step = q.step,
          .k_step = step_of_rows<T>(key_count),
          .first_query = position_ + first_query,
          .first_key = first_key,
          .head = matrix % heads,
          .finite = finite,
          .careful = careful};
}

template <class T>
typename AttentionProblem<T>::Part AttentionProblem<T>::seen_part(const Tile<T>& all, std::int64_t real_keys,
                                                                  std::int64_t matrix, std::int64_t first,
                                                                  std::int64_t count) const {
  const KeyRange seen = seen_by(matrix, all.first_query - position_ + first, count);
  const std::int64_t left = std::max<std::int64_t>(seen.first - all.first_key, 0) / key_multiple<T> * key_multiple<T>;
  const std::int64_t seen_keys = std::min(seen.last - all.first_key, real_keys) - left;
  Tile<T> tile = all;
  tile.queries = count;
  tile.keys = padded<T>(seen_keys);
  tile.first_query += first;
  tile.first_key += left;
  tile.k += left;
  if (tile.k_rows) tile.k_rows += left * features;
  if (tile.parameters_per_key) tile.parameters += left;
  return {tile, left, seen_keys};
}

template <class T>
typename AttentionProblem<T>::Rows AttentionProblem<T>::dense_rows(const Rows& from, std::int64_t first,
                                                                   std::int64_t count, std::int64_t size, T* memory) {
  const T* rows = from.data + first * from.step;
  if (from.step == size) return {rows, size};
  kernels::copy_tile(memory, {count, size, size, 1}, rows, {count, size, from.step, 1});
  return {memory, size};
}

template <class T>
void AttentionProblem<T>::transpose_keys(const Rows& from, std::int64_t first, std::int64_t count, std::int64_t size,
                                         T* columns, std::int64_t step, T factor) {
  kernels::copy_tile(columns, {count, size, 1, step}, from.data + first * from.step, {count, size, from.step, 1});
  for (std::int64_t c = 0; c < size; ++c) {
    T* row = columns + c * step;
    if (factor != 1)
      for (std::int64_t j = 0; j < count; ++j) row[j] *= factor;
    std::fill(row + count, row + step, row[count - 1]);
  }
}

template <class T>
void AttentionProblem<T>::set_parameters(Tile<T>& tile, T* memory) const {
  if (!parameters_.defined()) return;
  tile.parameters = memory;
  tile.parameters_per_key = parameters_per_key();
  const std::int64_t to_key = parameters_.strides()[0], to_feature = parameters_.strides()[1];
  const T* from = parameters_.data<T>();
  if (!tile.parameters_per_key) {
    for (std::int64_t c = 0; c < features; ++c) memory[c] = from[c * to_feature];
    return;
  }
  const std::int64_t count = std::min(tile.keys, keys - tile.first_key);
  kernels::copy_tile(memory, {count, features, 1, tile.k_step}, from + tile.first_key * to_key,
                     {count, features, to_key, to_feature});
  for (std::int64_t c = 0; c < features; ++c) {
    T* row = memory + c * tile.k_step;
    std::fill(row + count, row + tile.k_step, row[count - 1]);
  }
}

template <class T>
void AttentionProblem<T>::mask(const Tile<T>& tile, std::int64_t matrix, std::int64_t real_keys, T* scores) const {
  constexpr T masked = -std::numeric_limits<T>::infinity();
  const std::int64_t first_query = tile.first_query - position_;
  const KeyRange* range = ranges(matrix);
  const auto at = [&](const Tensor& x, const Strides& strides, std::int64_t i) {
    return x.data<T>() + offset_of(strides, matrix) + i * strides.back(2) + tile.first_key * strides.back();
  };
  for (std::int64_t i = 0; i < tile.queries; ++i) {
    T* row = scores + i * tile.k_step;
    if (bias_.defined()) {
      const T* bias = at(bias_, bias_strides_, first_query + i);
      for (std::int64_t j = 0; j < real_keys; ++j) row[j] += bias[j * bias_strides_.back()];
    }
    if (keep_.defined()) {
      const T* keep = at(keep_, keep_strides_, first_query + i);
      for (std::int64_t j = 0; j < real_keys; ++j) row[j] = keep[j * keep_strides_.back()] != 0 ? row[j] : masked;
    }
    std::int64_t begin = 0, end = real_keys;
    if (range) {
      const KeyRange& seen = range[first_query + i];
      begin = std::clamp<std::int64_t>(seen.first - tile.first_key, 0, real_keys);
      end = std::clamp<std::int64_t>(seen.last - tile.first_key, begin, real_keys);
    }
    const std::int64_t own = first_query + i + hidden_.value_or(0) - tile.first_key;
    if (hidden_ && own >= 0 && own < real_keys) row[own] = masked;
    std::fill(row, row + begin, masked);
    std::fill(row + end, row + tile.keys, masked);
  }
}

template <class T>
typename AttentionProblem<T>::RowSight AttentionProblem<T>::row_sight(std::int64_t matrix, std::int64_t query) const {
  RowSight row{.range = seen_by(matrix, query, 1)};
  if (hidden_) row.hidden = query + *hidden_;
  if (keep_.defined()) {
    row.keep = keep_.data<T>() + offset_of(keep_strides_, matrix) + query * keep_strides_.back(2);
    row.step = keep_strides_.back();
  }
  return row;
}

template <class T>
void AttentionProblem<T>::clear_masked(const Tile<T>& tile, std::int64_t matrix, std::int64_t query,
                                       std::int64_t real_keys, T* row) const {
  const RowSight sight = row_sight(matrix, query);
  for (std::int64_t j = 0; j < tile.keys; ++j)
    if (j >= real_keys || !sight.sees(tile.first_key + j)) row[j] = 0;
}

template <class T>
void AttentionProblem<T>::add_to_bias(const Tile<T>& tile, std::int64_t matrix, std::int64_t real_keys,
                                      const T* gradient, T* to, const Strides& strides) const {
  to += offset_of(strides, matrix) + (tile.first_query - position_) * strides.back(2) + tile.first_key * strides.back();
  for (std::int64_t i = 0; i < tile.queries; ++i)
    for (std::int64_t j = 0; j < real_keys; ++j)
      to[i * strides.back(2) + j * strides.back()] += gradient[i * tile.k_step + j];
}

// Four weights share a position of the stream, as in bernoulli().
template <class T>
void AttentionProblem<T>::dropout_row(std::int64_t matrix, std::int64_t query, std::int64_t first_key,
                                      std::int64_t count, T* factors) const {
  const double keeps = 1 - dropout_->p;
  const auto below = static_cast<std::uint64_t>(std::llround(keeps * 0x1p32));
  const T hit = static_cast<T>(1 / keeps);
  const std::int64_t first = (matrix * queries + query) * keys + first_key;
  Generator::Draw bits{};
  for (std::int64_t j = 0; j < count; ++j) {
    const std::int64_t place = first + j;
    if (j == 0 || place % 4 == 0)
      bits = dropout_->generator.at(dropout_->generator.position() + static_cast<std::uint64_t>(place / 4));
    const std::uint64_t two = place % 4 < 2 ? bits.first : bits.second;
    factors[j] = (place % 2 == 0 ? two >> 32 : two & 0xFFFFFFFF) < below ? hit : T{0};
  }
}

template class AttentionProblem<float>;
template class AttentionProblem<double>;

}  // namespace regard
