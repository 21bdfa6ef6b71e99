#pragma once

#include "tensor/attention/engine/tile.h"
#include "tensor/memory/scratch.h"

#include <algorithm>
#include <memory>

namespace regard::engine {

// The sum of two scores of the same queries and keys. Numbers of pairs: those of a come first, `lines_of_a` of them.
template <class T>
class SumTiles final : public TileScore<T> {
 public:
  SumTiles(std::shared_ptr<const TileScore<T>> a, std::shared_ptr<const TileScore<T>> b, std::int64_t lines_of_a)
      : a_(std::move(a)), b_(std::move(b)), lines_of_a_(lines_of_a) {}

  void scores(const Tile<T>& tile, T* scores) const override {
    Scratch<T> more(tile.plane());
    scores_of(*a_, tile, scores);
    scores_of(*b_, second(tile), more.data());
    for (std::int64_t i = 0; i < tile.queries; ++i)
      for (std::int64_t j = 0; j < tile.keys; ++j) scores[i * tile.k_step + j] += more.data()[i * tile.k_step + j];
  }

  // ∂(a + b) = ∂a and ∂b: each gets the whole gradient.
  void gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const override {
    TileGradients<T> to_b = to;
    if (to.lines) to_b.lines += lines_of_a_ * tile.lines_step;
    gradients_of(*a_, tile, gradient, to);
    gradients_of(*b_, second(tile), gradient, to_b);
  }

  BlockSize block(std::int64_t features) const override {
    const BlockSize a = a_->block(features), b = b_->block(features);
    return {std::min(a.queries, b.queries), std::min(a.keys, b.keys)};
  }
  bool wants_key_rows() const override { return a_->wants_key_rows() || b_->wants_key_rows(); }
  std::int64_t planes() const override { return a_->planes() + b_->planes(); }
  bool asks_for_places() const override { return a_->asks_for_places() || b_->asks_for_places(); }
  bool may_have_infinite_slopes() const override {
    return a_->may_have_infinite_slopes() || b_->may_have_infinite_slopes();
  }

 private:
  Tile<T> second(Tile<T> tile) const {
    if (tile.lines) tile.lines += lines_of_a_ * tile.lines_step;
    if (tile.slopes) tile.slopes += a_->planes() * tile.plane();
    return tile;
  }

  // Each score may want its keys multiplied by a factor of its own: it gets a copy of them.
  static void scores_of(const TileScore<T>& score, Tile<T> tile, T* scores) {
    Scratch<T> keys(score.key_factor() == 1 ? 0 : tile.features * tile.k_step);
    if (score.key_factor() != 1) tile.k = multiplied(tile.k, columns_of(tile), score.key_factor(), keys.data());
    score.scores(tile, scores);
  }
  static void gradients_of(const TileScore<T>& score, Tile<T> tile, const T* gradient, TileGradients<T> to) {
    const double factor = score.key_factor();
    if (factor == 1) return score.gradients(tile, gradient, to);
    const Block columns = columns_of(tile), rows{tile.keys, tile.features, tile.features};
    Scratch<T> keys(columns.size()), key_rows(tile.k_rows ? rows.size() : 0), to_keys(to.k ? columns.size() : 0);
    tile.k = multiplied(tile.k, columns, factor, keys.data());
    if (tile.k_rows) tile.k_rows = multiplied(tile.k_rows, rows, factor, key_rows.data());
    T* const sums = to.k;
    if (sums) std::fill_n(to.k = to_keys.data(), columns.size(), T{0});
    score.gradients(tile, gradient, to);
    for (std::int64_t c = 0; sums && c < columns.rows; ++c)
      for (std::int64_t j = 0; j < columns.length; ++j)
        sums[c * columns.step + j] += static_cast<T>(factor) * to_keys.data()[c * columns.step + j];
  }

  // Numbers in memory: rows of some length, a step apart.
  struct Block {
    std::int64_t rows, length, step;
    std::int64_t size() const { return rows * step; }
  };
  static Block columns_of(const Tile<T>& tile) { return {tile.features, tile.keys, tile.k_step}; }
  static const T* multiplied(const T* from, const Block& block, double factor, T* to) {
    for (std::int64_t i = 0; i < block.rows; ++i)
      for (std::int64_t j = 0; j < block.length; ++j)
        to[i * block.step + j] = from[i * block.step + j] * static_cast<T>(factor);
    return to;
  }

  std::shared_ptr<const TileScore<T>> a_, b_;
  std::int64_t lines_of_a_;
};

}  // namespace regard::engine
