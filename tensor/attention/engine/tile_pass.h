#pragma once

#include "tensor/attention/engine/passes.h"
#include "tensor/attention/engine/problem.h"
#include "tensor/attention/engine/products.h"
#include "tensor/attention/engine/softmax_rows.h"
#include "tensor/matmul/multiply.h"
#include "tensor/memory/scratch.h"

#include <cmath>

namespace regard::engine {

// Where the gradients of one matrix go; null where none is wanted.
template <class T>
struct Destination {
  struct Rows {
    T* data = nullptr;
    std::int64_t step = 0;
  };
  Rows q, k, v, parameters;
  T *bias = nullptr, *lines = nullptr;
  Strides bias_strides = {};
};

// With weights wᵢⱼ = e^(sᵢⱼ − mᵢ)/lᵢ that are computed again from the scores, and o = Σ w·v:
//
//   ∂v_j = Σᵢ wᵢⱼ·gᵢ        ∂sᵢⱼ = wᵢⱼ·(gᵢ·vⱼ − gᵢ·oᵢ)
//
// since moving a score moves all weights of its query: Σⱼ wᵢⱼ·(gᵢ·vⱼ), the mean that is subtracted, is gᵢ·oᵢ. The rest
// is known to the score. Moving a score moves log Σ eˢ by wᵢⱼ: the gradient that arrives there is taken off the mean. A
// block of keys stays where it is while all blocks of queries pass by.
template <class T>
class TilePass {
 public:
  TilePass(const AttentionProblem<T>& in, const TileScore<T>& score, const AttentionForward& made,
           const ArrivingGradients& arriving)
      : in_(in),
        score_(score),
        made_(made),
        arriving_(arriving),
        size_(in.block_of(score)),
        step_(step_of_rows<T>(std::min(size_.keys, in.keys))),
        means_(in.queries),
        queries_(size_.queries * in.features),
        gradients_(size_.queries * in.value_size),
        scores_(size_.queries * step_),
        to_scores_(size_.queries * step_),
        slopes_(score.planes() * size_.queries * step_),
        keys_(in.features * step_),
        key_rows_(score.wants_key_rows() ? in.features * step_ : 0),
        to_keys_(in.features * step_),
        values_(in.value_size * step_),
        to_values_(in.value_size * step_),
        parameters_(in.features * step_),
        to_parameters_(in.features * std::max<std::int64_t>(step_, Pack<T>::size)),
        dropped_(step_) {}

  // The keys [begin, end) of a matrix.
  void run(std::int64_t matrix, std::int64_t begin, std::int64_t end, const Destination<T>& to) {
    const MatrixRows<T> g = in_.rows(arriving_.output, matrix), o = in_.rows(made_.output, matrix);
    sums_of_products(g, o, in_.queries, in_.value_size, means_.data());
    for (std::int64_t i = 0; arriving_.log_sum.defined() && i < in_.queries; ++i)
      means_.data()[i] -= arriving_.log_sum.data<T>()[matrix * in_.queries + i];
    const bool shared = to.parameters.data && !in_.parameters_per_key;
    if (shared) std::fill_n(to_parameters_.data(), in_.features * Pack<T>::size, T{0});
    for (std::int64_t j = begin; j < end; j += size_.keys) {
      const std::int64_t count = std::min(size_.keys, end - j);
      clear_sums_of_keys(to);
      add_all_queries(matrix, j, count, to);
      write_sums_of_keys(j, count, to);
    }
    if (shared)
      for (std::int64_t c = 0; c < in_.features; ++c)
        to.parameters.data[c] = sum_of_lanes(Pack<T>::load(to_parameters_.data() + c * Pack<T>::size));
  }

 private:
  // The gradients of a block of keys are summed as columns, and written as rows.
  void clear_sums_of_keys(const Destination<T>& to) {
    std::fill_n(to_keys_.data(), to.k.data ? in_.features * step_ : 0, T{0});
    std::fill_n(to_values_.data(), to.v.data ? in_.value_size * step_ : 0, T{0});
    if (to.parameters.data && in_.parameters_per_key) std::fill_n(to_parameters_.data(), in_.features * step_, T{0});
  }
  void write_sums_of_keys(std::int64_t j, std::int64_t count, const Destination<T>& to) {
    const auto factor = static_cast<T>(score_.key_factor());
    if (to.k.data && factor != 1)
      for (std::int64_t i = 0; i < in_.features * step_; ++i) to_keys_.data()[i] *= factor;
    const auto write = [&](Scratch<T>& columns, std::int64_t size, const auto& rows) {
      if (rows.data)
        loops::copy_patch(rows.data + j * rows.step, {count, size, rows.step, 1}, columns.data(),
                          {count, size, 1, step_of_rows<T>(count)});
    };
    write(to_keys_, in_.features, to.k);
    write(to_values_, in_.value_size, to.v);
    if (in_.parameters_per_key) write(to_parameters_, in_.features, to.parameters);
  }

  // All queries against one block of keys.
  void add_all_queries(std::int64_t matrix, std::int64_t j, std::int64_t count, const Destination<T>& to) {
    Tile<T> tile = in_.tile_of_keys(matrix, j, count, keys_.data(), parameters_.data(), score_.key_factor());
    const MatrixRows<T> values = in_.v(matrix);
    transpose_rows<T>({values.data + j * values.step, values.step}, count, in_.value_size, values_.data(), tile.k_step);
    if (score_.wants_key_rows() && to.q.data) {
      loops::copy_patch(key_rows_.data(), {tile.keys, in_.features, in_.features, 1}, keys_.data(),
                        {tile.keys, in_.features, 1, tile.k_step});
      tile.k_rows = key_rows_.data();
    }
    for (std::int64_t i = 0; i < in_.queries; i += size_.queries) {
      const std::int64_t height = std::min(size_.queries, in_.queries - i);
      SeenPart<T> part = in_.seen_part(tile, matrix, i, height);
      if (part.is_empty()) continue;
      part.set_queries(dense_rows(in_.q(matrix), i, height, in_.features, queries_.data()));
      add_block(part, to);
    }
  }

  void add_block(const SeenPart<T>& part, const Destination<T>& to) {
    Tile<T> tile = part.tile;
    tile.slopes = slopes_.data();
    T *scores = scores_.data(), *to_scores = to_scores_.data();
    score_.scores(tile, scores);
    in_.masking.apply(part.matrix, tile, scores);
    const MatrixRows<T> rows = dense_rows(in_.rows(arriving_.output, part.matrix), tile.first_row, tile.queries,
                                          in_.value_size, gradients_.data());
    const Matrix g{rows.data, tile.queries, in_.value_size, rows.step, 1};
    matmul_ladder::multiply(g, {values_.data() + part.left, in_.value_size, tile.keys, tile.k_step, 1}, to_scores,
                            tile.k_step);
    for (std::int64_t i = 0; i < tile.queries; ++i)
      weigh_row(part, {tile.first_row + i, scores + i * tile.k_step, to_scores + i * tile.k_step});
    if (to.v.data) add_to_values(part, g, scores);
    if (to.bias) in_.masking.add_to_bias(part.matrix, tile, to_scores, to.bias, to.bias_strides);
    score_.gradients(tile, to_scores, score_destination(part, to));
  }

  using Matrix = matmul_ladder::Matrix<T>;

  // One query of a block: its scores, which become weights; and the gradients of its weights, which become those of its
  // scores.
  struct Row {
    std::int64_t query;
    T *scores, *to_scores;
  };

  TileGradients<T> score_destination(const SeenPart<T>& part, const Destination<T>& to) {
    T* q = to.q.data ? to.q.data + part.tile.first_row * to.q.step : nullptr;
    T* k = to.k.data ? to_keys_.data() + part.left : nullptr;
    T* parameters =
        to.parameters.data ? to_parameters_.data() + (part.tile.parameters_per_key ? part.left : 0) : nullptr;
    T* lines = to.lines ? to.lines + part.tile.first_key - part.tile.first_row : nullptr;
    return {q, to.q.step, k, parameters, lines};
  }

  void weigh_row(const SeenPart<T>& part, const Row& row) {
    const Tile<T>& tile = part.tile;
    const std::int64_t at = part.matrix * in_.queries + row.query;
    const T shift = made_.shifts.data<T>()[at], share = made_.shares.data<T>()[at], mean = means_.data()[row.query];
    const T* dropped = dropped_.data();
    if (in_.dropout) {
      in_.draw_dropout(part.matrix, row.query, tile.first_key, tile.real_keys, dropped_.data());
      for (std::int64_t j = 0; j < tile.real_keys; ++j)
        row.to_scores[j] = dropped[j] == 0 ? 0 : row.to_scores[j] * dropped[j];
    }
    row_gradients(row.scores, row.to_scores, tile.keys, shift, share, mean);
    if (in_.dropout)
      for (std::int64_t j = 0; j < tile.real_keys; ++j) row.scores[j] *= dropped[j];
    // A row that has become NaN or infinite is so by what its query sees, and keys that it does not see get nothing
    // from it.
    if (!std::isfinite(share * mean))
      for (T* numbers : {row.scores, row.to_scores}) in_.masking.clear_hidden(part.matrix, tile, row.query, numbers);
  }

  void add_to_values(const SeenPart<T>& part, const Matrix& g, const T* weights_of_block) {
    const std::int64_t step = part.tile.k_step;
    const Matrix weights{weights_of_block, part.tile.queries, part.tile.keys, step, 1};
    if (in_.skips_zeros)
      add_without_zeros(weights.transposed(), g, to_values_.data() + part.left, 1, step);
    else
      matmul_ladder::multiply(g.transposed(), weights, to_values_.data() + part.left, step, true);
  }

  const AttentionProblem<T>& in_;
  const TileScore<T>& score_;
  const AttentionForward& made_;
  const ArrivingGradients& arriving_;
  const BlockSize size_;
  const std::int64_t step_;  // the longest: that of a whole tile
  Scratch<T> means_, queries_, gradients_, scores_, to_scores_, slopes_, keys_, key_rows_, to_keys_, values_,
      to_values_, parameters_, to_parameters_, dropped_;
};

}  // namespace regard::engine
