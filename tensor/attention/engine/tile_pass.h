#pragma once

#include "tensor/attention/engine/problem.h"
#include "tensor/attention/engine/products.h"
#include "tensor/attention/engine/softmax_rows.h"
#include "tensor/loops/tile.h"
#include "tensor/matmul/multiply.h"
#include "tensor/memory/scratch.h"

#include <cmath>

namespace regard {

// Where gradients go. Several tasks share a matrix if there are few of them: each has keys of its own, so the gradients of keys
// and values are written by one task only. Those of queries and of parameters are not, so each task has a place of its own for
// them, and these are added up in the end, in order.
template <class T>
struct Destination {
  T *q = nullptr, *k = nullptr, *v = nullptr, *parameters = nullptr, *bias = nullptr;
  std::int64_t q_step = 0, k_step = 0, v_step = 0;
  Strides bias_strides = {};
};

// With weights wᵢⱼ = e^(sᵢⱼ − mᵢ)/lᵢ that are computed again from the scores, and o = Σ w·v:
//
//   ∂v_j = Σᵢ wᵢⱼ·gᵢ        ∂sᵢⱼ = wᵢⱼ·(gᵢ·vⱼ − gᵢ·oᵢ)
//
// since moving a score moves all weights of its query: Σⱼ wᵢⱼ·(gᵢ·vⱼ), the mean that is subtracted, is gᵢ·oᵢ. The rest is
// known to the score. A tile of keys stays where it is while all blocks of queries pass by.
template <class T>
class TilePass {
 public:
  TilePass(const AttentionProblem<T>& in, const TileScore<T>& score, const AttentionForward& made,
           const Tensor& gradient)
      : in_(in),
        score_(score),
        made_(made),
        gradient_(gradient),
        block_(score.block(in.features)),
        step_(step_of_rows<T>(std::min(block_.keys, in.keys))),
        means_(in.queries),
        queries_(block_.queries * in.features),
        gradients_(block_.queries * in.value_size),
        scores_(block_.queries * step_),
        to_scores_(block_.queries * step_),
        slopes_(score.is_modified() ? block_.queries * step_ : 0),
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
    const Rows g = in_.rows(gradient_, matrix), o = in_.rows(made_.output, matrix);
    for (std::int64_t i = 0; i < in_.queries; ++i)
      means_.data()[i] = sum_of_products(g.data + i * g.step, o.data + i * o.step, in_.value_size);
    const bool shared = !in_.parameters_per_key();
    if (to.parameters && shared) std::fill_n(to_parameters_.data(), in_.features * Pack<T>::size, T{0});
    for (std::int64_t j = begin; j < end; j += block_.keys) {
      const std::int64_t count = std::min(block_.keys, end - j);
      if (to.parameters && !shared) std::fill_n(to_parameters_.data(), in_.features * step_, T{0});
      pass(matrix, j, count, to);
      if (to.k)
        write_columns(to_keys_.data(), count, in_.features, to.k + j * to.k_step, to.k_step, score_.key_factor());
      if (to.v) write_columns(to_values_.data(), count, in_.value_size, to.v + j * to.v_step, to.v_step, 1);
      if (to.parameters && !shared)
        write_columns(to_parameters_.data(), count, in_.features, to.parameters + j * in_.features, in_.features, 1);
    }
    if (to.parameters && shared)
      for (std::int64_t c = 0; c < in_.features; ++c)
        to.parameters[c] = sum_of_lanes(Pack<T>::load(to_parameters_.data() + c * Pack<T>::size));
  }

 private:
  using Rows = typename AttentionProblem<T>::Rows;

  void write_columns(T* columns, std::int64_t count, std::int64_t size, T* rows, std::int64_t row_step,
                     double factor) const {
    for (std::int64_t c = 0; factor != 1 && c < size; ++c)
      for (std::int64_t j = 0; j < count; ++j) columns[c * step_ + j] *= static_cast<T>(factor);
    kernels::copy_tile(rows, {count, size, row_step, 1}, columns, {count, size, 1, step_});
  }

  // All queries against one tile of keys.
  void pass(std::int64_t matrix, std::int64_t j, std::int64_t count, const Destination<T>& to) {
    in_.transpose_keys(in_.k(matrix), j, count, in_.features, keys_.data(), step_, static_cast<T>(score_.key_factor()));
    in_.transpose_keys(in_.v(matrix), j, count, in_.value_size, values_.data(), step_, 1);
    std::fill_n(to_keys_.data(), to.k ? in_.features * step_ : 0, T{0});
    std::fill_n(to_values_.data(), to.v ? in_.value_size * step_ : 0, T{0});
    Tile<T> all = in_.tile(matrix, {}, 0, in_.queries, j, count);
    all.k = keys_.data();
    all.k_step = step_;
    if (score_.wants_key_rows() && to.q) {
      kernels::copy_tile(key_rows_.data(), {all.keys, in_.features, in_.features, 1}, keys_.data(),
                         {all.keys, in_.features, 1, step_});
      all.k_rows = key_rows_.data();
    }
    in_.set_parameters(all, parameters_.data());
    for (std::int64_t i = 0; i < in_.queries; i += block_.queries) {
      auto [tile, left, keys] = in_.seen_part(all, count, matrix, i, std::min(block_.queries, in_.queries - i));
      if (keys <= 0) continue;
      const Rows q = in_.dense_rows(in_.q(matrix), i, tile.queries, in_.features, queries_.data());
      tile.q = q.data;
      tile.q_step = q.step;
      add_block(tile, matrix, i, left, keys, to);
    }
  }

  void add_block(const Tile<T>& tile, std::int64_t matrix, std::int64_t first, std::int64_t left,
                 std::int64_t real_keys, const Destination<T>& to) {
    // Where nobody needs the weights, the gradients of scores take their place: less to keep in the cache.
    const bool only_scores = in_.value_size == 1 && !in_.drops() && in_.finite && !to.v;
    T *scores = scores_.data(), *to_scores = only_scores ? scores : to_scores_.data();
    score_.scores(tile, scores, score_.is_modified() ? slopes_.data() : nullptr);
    in_.mask(tile, matrix, real_keys, scores);
    const Rows gradients =
        in_.dense_rows(in_.rows(gradient_, matrix), first, tile.queries, in_.value_size, gradients_.data());
    const matmul_ladder::Matrix<T> g{gradients.data, tile.queries, in_.value_size, gradients.step, 1};
    if (in_.value_size != 1)
      matmul_ladder::multiply(g, {values_.data() + left, in_.value_size, tile.keys, step_, 1}, to_scores, step_);
    for (std::int64_t i = 0; i < tile.queries; ++i)
      add_row(tile, matrix, first + i, left, real_keys, scores + i * step_, to_scores + i * step_, g(i, 0),
              only_scores);
    if (to.v) {
      const matmul_ladder::Matrix<T> weights{scores, tile.queries, tile.keys, step_, 1};
      if (in_.finite)
        matmul_ladder::multiply(g.transposed(), weights, to_values_.data() + left, step_, true);
      else
        add_seen(weights.transposed(), g, to_values_.data() + left, 1, step_);
    }
    if (to.bias) in_.add_to_bias(tile, matrix, real_keys, to_scores, to.bias, to.bias_strides);
    if (score_.is_modified())
      for (std::int64_t i = 0; i < tile.queries; ++i)
        for (std::int64_t j = 0; j < tile.keys; ++j)
          if (to_scores[i * step_ + j] != 0) to_scores[i * step_ + j] *= slopes_.data()[i * step_ + j];
    T* parameters = to.parameters ? to_parameters_.data() + (tile.parameters_per_key ? left : 0) : nullptr;
    score_.gradients(
        tile, to_scores,
        {to.q ? to.q + first * to.q_step : nullptr, to.q_step, to.k ? to_keys_.data() + left : nullptr, parameters});
  }

  // One query: the scores become weights, and the gradients of weights those of scores.
  void add_row(const Tile<T>& tile, std::int64_t matrix, std::int64_t query, std::int64_t left, std::int64_t real_keys,
               T* scores, T* to_scores, T g, bool only_scores) {
    const std::int64_t row = matrix * in_.queries + query;
    const T shift = made_.shifts.data<T>()[row], share = made_.shares.data<T>()[row], mean = means_.data()[query];
    const T* values = values_.data() + left;
    if (only_scores) {
      row_gradients<true>(
          scores, to_scores, tile.keys, shift, share, mean * share, [=](std::int64_t j) __attribute__((always_inline)) {
            return Pack<T>(g * share) * Pack<T>::load(values + j);
          });
      return keep_nan_out(tile, matrix, query, real_keys, to_scores, to_scores);
    }
    for (std::int64_t j = 0; in_.value_size == 1 && j < tile.keys; ++j) to_scores[j] = g * values[j];
    const T* dropped = dropped_.data();
    if (in_.drops()) {
      in_.dropout_row(matrix, query, tile.first_key, real_keys, dropped_.data());
      for (std::int64_t j = 0; j < real_keys; ++j) to_scores[j] = dropped[j] == 0 ? 0 : to_scores[j] * dropped[j];
    }
    row_gradients<false>(
        scores, to_scores, tile.keys, shift, share,
        mean, [=](std::int64_t j) __attribute__((always_inline)) { return Pack<T>::load(to_scores + j); });
    if (in_.drops())
      for (std::int64_t j = 0; j < real_keys; ++j) scores[j] *= dropped[j];
    keep_nan_out(tile, matrix, query, real_keys, scores, to_scores);
  }

  // A row that has become NaN or infinite is so by what its query sees, and keys that it does not see get nothing from it.
  void keep_nan_out(const Tile<T>& tile, std::int64_t matrix, std::int64_t query, std::int64_t real_keys, T* weights,
                    T* to_scores) {
    const T share = made_.shares.data<T>()[matrix * in_.queries + query];
    if (std::isfinite(share * means_.data()[query])) return;
    for (T* row : {weights, to_scores}) in_.clear_masked(tile, matrix, query, real_keys, row);
  }

  const AttentionProblem<T>& in_;
  const TileScore<T>& score_;
  const AttentionForward& made_;
  const Tensor& gradient_;
  const BlockSize block_;
  const std::int64_t step_;
  Scratch<T> means_, queries_, gradients_, scores_, to_scores_, slopes_, keys_, key_rows_, to_keys_, values_,
      to_values_, parameters_, to_parameters_, dropped_;
};

}  // namespace regard
