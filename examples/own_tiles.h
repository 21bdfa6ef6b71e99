#pragma once

#include "autograd/attention/score.h"
#include "tensor/matmul/multiply.h"

#include <cstdint>
#include <memory>
#include <vector>

// What a score may know about itself beside its value: derivatives by hand, and a shortcut around the pairs.
namespace mine {

using namespace regard;
using namespace regard::engine;

// The nearer, the higher.  a(q, k) = −½·Σ (q − k)²
struct Near {
  auto operator()(const auto& q, const auto& k) const { return square(q - k) * -0.5; }
};

// Derivatives by hand are looked for in `slopes`; without it, dual numbers find them.
struct NearByHand : Near {
  template <class P>
  Slopes<P> slopes(const P& q, const P& k) const {
    return {k - q, q - k};
  }
};

// A shortcut around the pairs: −½·|q − k|² = q·k − ½·|q|² − ½·|k|², and products of matrices are fast. The price is
// digits: far from the origin, large numbers are subtracted from each other.
template <class T>
class NearTiles final : public TileScore<T> {
 public:
  void scores(const Tile<T>& tile, T* scores) const override {
    const Matrix q = queries_of(tile), k = keys_of(tile);
    matmul_ladder::multiply<T>(q, k, scores, tile.k_step);
    std::vector<T> half(static_cast<std::size_t>(k.columns), 0);  // ½·|k|²
    for (std::int64_t c = 0; c < k.rows; ++c)
      for (std::int64_t j = 0; j < k.columns; ++j) half[static_cast<std::size_t>(j)] += k(c, j) * k(c, j) / 2;
    for (std::int64_t i = 0; i < q.rows; ++i) {
      T own = 0;
      for (std::int64_t c = 0; c < q.columns; ++c) own += q(i, c) * q(i, c) / 2;
      for (std::int64_t j = 0; j < k.columns; ++j)
        scores[i * tile.k_step + j] -= own + half[static_cast<std::size_t>(j)];
    }
  }

  // ∂q = Σⱼ g·(k − q)  and  ∂k = Σᵢ g·(q − k): again a product each, and what is left are sums of g.
  void gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const override {
    if (tile.skips_zeros) return pairs_.gradients(tile, gradient, to);
    const Matrix q = queries_of(tile), k = keys_of(tile), g{gradient, q.rows, k.columns, tile.k_step, 1};
    const Matrix rows{tile.k_rows, tile.keys, tile.features, tile.features, 1};
    if (to.q) matmul_ladder::multiply<T>(g, rows, to.q, to.q_step, true);
    if (to.k) matmul_ladder::multiply<T>(q.transposed(), g, to.k, tile.k_step, true);
    std::vector<T> of_keys(static_cast<std::size_t>(k.columns), 0);
    for (std::int64_t i = 0; i < q.rows; ++i) {
      T of_query = 0;
      for (std::int64_t j = 0; j < k.columns; ++j) {
        of_query += g(i, j);
        of_keys[static_cast<std::size_t>(j)] += g(i, j);
      }
      for (std::int64_t c = 0; to.q && c < q.columns; ++c) to.q[i * to.q_step + c] -= of_query * q(i, c);
    }
    for (std::int64_t c = 0; to.k && c < k.rows; ++c)
      for (std::int64_t j = 0; j < k.columns; ++j)
        to.k[c * tile.k_step + j] -= of_keys[static_cast<std::size_t>(j)] * k(c, j);
  }

  BlockSize block(std::int64_t features) const override { return {192, pairs_.block(features).keys}; }
  bool wants_key_rows() const override { return true; }

 private:
  using Matrix = matmul_ladder::Matrix<T>;
  static Matrix queries_of(const Tile<T>& tile) { return {tile.q, tile.queries, tile.features, tile.q_step, 1}; }
  static Matrix keys_of(const Tile<T>& tile) { return {tile.k, tile.features, tile.keys, tile.k_step, 1}; }
  FeatureTiles<T, Near> pairs_{Near{}};  // for what a product cannot do
};
struct NearByProducts : Near {
  template <class T>
  std::shared_ptr<const TileScore<T>> tiles() const {
    return std::make_shared<NearTiles<T>>();
  }
};

}  // namespace mine
